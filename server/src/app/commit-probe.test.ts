import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../platform/postgres/database.ts';
import { CommitProbe } from './commit-probe.ts';

function world() {
  const tries: { resolve: (rows: never[]) => void; reject: (error: Error) => void }[] = [];
  const query = () => {
    const { promise, ...ends } = Promise.withResolvers<never[]>();
    tries.push(ends);
    return promise;
  };
  const at = { ms: 0 };
  const probe = new CommitProbe({ database: { query } as unknown as Database, nowMs: () => at.ms });
  const hangsAt = (ms: number) => {
    at.ms = ms;
    return probe.hangs();
  };
  return { tries, hangsAt };
}
const timeout = () => new Error('Query read timeout');

test('reports a hang if a commit takes more than five seconds, until a commit succeeds', async () => {
  const { tries, hangsAt } = world();
  assert.equal(hangsAt(0), false);
  assert.equal(hangsAt(5_000), false);
  assert.equal(hangsAt(5_001), true);
  // A timeout of the probe proves nothing.
  tries[0]!.reject(timeout());
  await turn();
  assert.equal(hangsAt(6_000), true);
  tries[1]!.resolve([]);
  await turn();
  assert.equal(hangsAt(6_500), false);
});

test('probes one at a time, and at most once a second', async () => {
  const { tries, hangsAt } = world();
  for (const ms of [0, 10, 2_000]) hangsAt(ms);
  assert.equal(tries.length, 1);
  tries[0]!.resolve([]);
  await turn();
  for (const ms of [2_000, 2_010, 2_999]) hangsAt(ms);
  assert.equal(tries.length, 2);
  tries[1]!.resolve([]);
  await turn();
  hangsAt(3_000);
  assert.equal(tries.length, 3);
});

test('keeps the gateway ready if the role may not run the probe', async () => {
  const { tries, hangsAt } = world();
  hangsAt(0);
  tries[0]!.reject(Object.assign(new Error('permission denied'), { code: '42501' }));
  await turn();
  assert.equal(hangsAt(60_000), false);
});
