import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './keyed-queue.ts';

test('runs work of one key in sequence, even after a failure', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const step = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'a') throw new Error('a fails');
    return name;
  };
  const a = turns('one', step('a'));
  const b = turns('one', step('b'));
  const other = turns('two', step('other'));
  await assert.rejects(a, /a fails/);
  assert.deepEqual(await Promise.all([b, other]), ['b', 'other']);
  assert.ok(seen.indexOf('a ends') < seen.indexOf('b begins'));
  assert.ok(seen.indexOf('other begins') < seen.indexOf('a ends'), 'does not delay another key');
});

test('refuses work if too much waits, or for too long, and continues with the rest', async () => {
  const turns = createTurns({ waiting: 1, longestWaitMs: 1 });
  const held = Promise.withResolvers<string>();
  const first = turns('one', () => held.promise);
  const second = turns('one', async () => 'second');
  await assert.rejects(
    turns('one', async () => 'third'),
    { code: 'RATE_LIMITED' },
  );
  await assert.rejects(second, { code: 'RATE_LIMITED' });
  held.resolve('first');
  assert.equal(await first, 'first');
  assert.equal(await turns('one', async () => 'fourth'), 'fourth');
});
