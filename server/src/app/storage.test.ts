import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { whenDatabaseAnswers } from './storage.ts';

const log = pino({ level: 'silent' });
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('waits for the database although the clock of the machine is set meanwhile', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 0 });
  let tries = 0;
  const answer = await whenDatabaseAnswers(log, async () => {
    tries += 1;
    if (tries > 1) return 'an answer';
    context.mock.timers.setTime(3_600_000);
    throw refused();
  });
  assert.equal(answer, 'an answer');
});
