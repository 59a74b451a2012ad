import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createSemaphore } from './semaphore.ts';

test('limits concurrency in the order of requests, and frees the slot after a failure', async () => {
  const semaphore = createSemaphore(2);
  const begun: number[] = [];
  const open: PromiseWithResolvers<number>[] = [];
  const results = [0, 1, 2, 3].map((index) =>
    semaphore(() => {
      begun.push(index);
      open[index] = Promise.withResolvers();
      return open[index].promise;
    }),
  );
  const settled = Promise.allSettled(results);
  await turn();
  assert.deepEqual(begun, [0, 1]);
  open[1]!.reject(new Error('no'));
  await turn();
  assert.deepEqual(begun, [0, 1, 2]);
  open[0]!.resolve(0);
  open[2]!.resolve(2);
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3]);
  open[3]!.resolve(3);
  const outcomes = await settled;
  assert.deepEqual(
    outcomes.map((each) => (each.status === 'fulfilled' ? each.value : 'failed')),
    [0, 'failed', 2, 3],
  );
});
