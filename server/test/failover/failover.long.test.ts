import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failOverBehind } from './asynchronous.ts';
import { failOver } from './failover.ts';
import { everyStrike } from './plan.ts';

const timeout = 300_000;

test('loses nothing acknowledged and does nothing twice, whether the primary is killed, frozen, stopped, read-only or without its standby', {
  timeout,
}, async (context) => {
  const rounds = everyStrike.length;
  const { outages, acknowledged } = await failOver({
    rounds,
    seed: 17,
    strikeOf: (round) => everyStrike[round - 1]!,
    restEvery: rounds,
    tell: (line) => context.diagnostic(line),
  });
  assert.deepEqual(
    outages.map(({ strike }) => strike),
    everyStrike,
  );
  assert.ok(acknowledged > 0);
});

test('finds losses of a lagging standby by recover and reconcile, and sends nothing twice', {
  timeout,
}, async (context) => {
  const { lost, lostAndDebited, setBack, disbursementsRepeated } = await failOverBehind({
    rounds: 1,
    seed: 5,
    restEvery: 1,
    tell: (line) => context.diagnostic(line),
  });
  assert.ok(lost > 0 && setBack > 0, 'the standby was behind');
  assert.ok(lostAndDebited > 0, 'debits were lost, each of which went back or is held');
  assert.ok(disbursementsRepeated > 0, 'a repeated disbursement is paid once');
});
