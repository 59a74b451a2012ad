import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../platform/postgres/database.ts';
import { WriteWatch } from './write-watch.ts';

const fullDisk = () => Object.assign(new Error('could not extend file'), { code: '53100' });

function world() {
  const at = { ms: 0 };
  const probe = { tries: 0, error: fullDisk() as Error | undefined };
  const transaction = async () => {
    probe.tries += 1;
    if (probe.error) throw probe.error;
  };
  const watch = new WriteWatch({
    database: { transaction } as unknown as Database,
    nowMs: () => at.ms,
  });
  const failsAt = async (ms: number) => {
    at.ms = ms;
    const fails = watch.fails();
    await turn();
    return fails;
  };
  const failAt = (ms: number, error: unknown = fullDisk()) => {
    at.ms = ms;
    watch.failed(error);
  };
  return { watch, probe, failsAt, failAt };
}

test('reports failure after three failed writes within ten seconds, until a write succeeds', async () => {
  const { watch, probe, failsAt, failAt } = world();
  probe.error = undefined;
  failAt(0);
  failAt(5_000);
  watch.succeeded();
  failAt(6_000);
  failAt(7_000);
  failAt(16_001);
  assert.equal(await failsAt(16_001), false, 'they were too far apart');
  assert.equal(probe.tries, 1);
  watch.succeeded();
  probe.error = fullDisk();
  for (const ms of [20_000, 25_000, 30_000]) failAt(ms);
  assert.equal(await failsAt(30_000), true);
  assert.equal(await failsAt(90_000), true, 'does not recover by time alone');
  watch.succeeded();
  assert.equal(await failsAt(90_001), false);
});

test('recovers by a write of its own when no requests arrive', async () => {
  const { probe, failsAt, failAt } = world();
  for (const ms of [0, 1, 2]) failAt(ms);
  assert.equal(await failsAt(10), true);
  assert.equal(await failsAt(500), true);
  assert.equal(probe.tries, 1, 'writes at most once a second');
  probe.error = undefined;
  assert.equal(await failsAt(9_000), true);
  assert.equal(await failsAt(9_500), true, 'a request failed a moment ago');
  assert.equal(await failsAt(10_002), true);
  assert.equal(await failsAt(10_003), false);
  assert.equal(await failsAt(19_000), false);
  assert.equal(probe.tries, 3, 'no write of its own while requests succeed');
});

test('follows up one failed request with writes of its own', async () => {
  const { failsAt, failAt } = world();
  failAt(0);
  const seen: boolean[] = [];
  for (const ms of [100, 1_200, 2_300]) seen.push(await failsAt(ms));
  assert.deepEqual(seen, [false, false, true]);
});

test('ignores errors unrelated to the database', async () => {
  const { probe, failsAt, failAt } = world();
  const ours = [new Error('a bug'), Object.assign(new Error('unique'), { code: '23505' }), null];
  for (const error of ours) failAt(1, error);
  assert.equal(await failsAt(2), false);
  assert.equal(probe.tries, 0);
  // A role that may not create temporary tables.
  for (const ms of [10, 11, 12]) failAt(ms);
  probe.error = Object.assign(new Error('permission denied'), { code: '42501' });
  assert.equal(await failsAt(10_013), true);
  assert.equal(await failsAt(10_014), false);
});
