import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Queryable } from '../../platform/postgres/database.ts';
import { hearSilence } from './silence.ts';

test('a database that leaves two questions in a row unanswered is given up, and none that answers in between', async () => {
  const answers = [false, true, false, true, true, false, false];
  let asked = 0;
  const database: Queryable = {
    query: async () => {
      if (!answers[asked++]) throw new Error('no answer');
      return [];
    },
  };
  const silence = hearSilence(database, 1);
  const { signal } = silence;
  await once(signal, 'abort');
  silence.end();
  assert.equal(asked, answers.length);
  assert.match(String(signal.reason), /the database does not answer/);
});
