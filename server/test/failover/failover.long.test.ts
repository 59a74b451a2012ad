import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failOverBehind } from './asynchronous.ts';
import { failOver } from './failover.ts';
import type { Strike } from './plan.ts';

const timeout = 300_000;

const promises: Record<Strike, string> = {
  kill: 'the primary is killed: what was acknowledged is on the promoted standby, once',
  freeze:
    'the primary freezes and comes back later: nothing acknowledged is lost, nothing goes back to it',
  'switch over': 'the primary is stopped in order: nothing acknowledged is lost',
  'read-only':
    'the primary refuses writes while its connections live on: the gateway finds the promoted one',
  'standby gone':
    'the synchronous standby is gone: the gateway is not ready until it is back, and nothing is lost',
};

for (const [strike, promise] of Object.entries(promises) as [Strike, string][]) {
  test(promise, { timeout }, async (context) => {
    const { outages, acknowledged } = await failOver({
      rounds: 1,
      seed: 17,
      strikes: [strike],
      restEvery: 1,
      tell: (line) => context.diagnostic(line),
    });
    assert.deepEqual(
      outages.map((outage) => outage.strike),
      [strike],
    );
    assert.ok(acknowledged > 0);
  });
}

test('the standby was behind: what was lost is found by recover and reconcile, and nothing is sent twice', {
  timeout,
}, async (context) => {
  const { lost, lostAndDebited, held, setBack } = await failOverBehind({
    rounds: 1,
    seed: 5,
    restEvery: 1,
    tell: (line) => context.diagnostic(line),
  });
  assert.ok(lost > 0 && setBack > 0, 'the standby was behind');
  assert.ok(
    held >= lostAndDebited && lostAndDebited > 0,
    'each lost debit is in front of a person',
  );
});
