import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { WorkQueue } from './work-queue.ts';

/** A queue whose work stays open until the test ends it. */
function openQueue(maxRunning: number, ownerOf = (_item: number) => '') {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const queue = new WorkQueue<number>({
    maxRunning,
    ownerOf,
    work: (item) => {
      begun.push(item);
      return new Promise((resolve) => ends.set(item, resolve));
    },
  });
  const end = async (item: number) => {
    ends.get(item)!();
    await turn();
  };
  return { queue, begun, end };
}

test('processes an item at once while there is room, and otherwise queues it', async () => {
  const { queue, begun, end } = openQueue(2);
  for (const item of [1, 2, 3, 4]) queue.add(item);
  assert.deepEqual(begun, [1, 2]);
  assert.equal(queue.waiting, 2);
  await end(2);
  assert.deepEqual(begun, [1, 2, 3], 'first come, first served');
  await end(1);
  assert.deepEqual(begun, [1, 2, 3, 4]);
  assert.equal(queue.waiting, 0);
});

test('lets owners take turns, however many items of one wait', async () => {
  const { queue, begun, end } = openQueue(1, (item) => (item < 100 ? 'many' : `one ${item}`));
  for (const item of [1, 2, 3, 4, 100, 101]) queue.add(item);
  for (const item of [1, 2, 100, 101, 3]) await end(item);
  assert.deepEqual(begun, [1, 2, 100, 101, 3, 4]);
});

test('starts items no faster than their pace, makes up for a late timer, and not for idle time', async () => {
  let [nowMs, dueMs] = [5_000, 0];
  let run = () => {};
  const clock = {
    nowMs: () => nowMs,
    after: (waitMs: number, timer: () => void) => {
      [dueMs, run] = [nowMs + waitMs, timer];
      return () => {};
    },
  };
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
  };
  const queue = new WorkQueue<number>({ maxRunning: 50, startIntervalMs: 20, clock, work });
  const tick = async (atMs: number) => {
    nowMs = atMs;
    run();
    await turn();
  };
  for (let item = 1; item <= 9; item++) queue.add(item);
  assert.deepEqual(begun, [1], 'although there is room for fifty');
  assert.equal(dueMs, 5_020);
  await tick(5_020);
  assert.deepEqual(begun, [1, 2]);
  await tick(5_085);
  assert.deepEqual(begun, [1, 2, 3, 4, 5], 'the timer was 45 ms late');
  assert.equal(dueMs, 5_100);
  await tick(1_000);
  assert.equal(dueMs, 1_020, 'the clock was set back');
  await tick(90_000);
  assert.equal(begun.length, 9);
  nowMs = 200_000;
  for (const item of [10, 11]) queue.add(item);
  assert.deepEqual(begun.slice(9), [10]);
});

test('finishes running items at a stop, and drops waiting ones', async () => {
  const { queue, begun, end } = openQueue(2);
  for (const item of [1, 2, 3]) queue.add(item);
  let stopped = false;
  const stopping = queue.stop().then(() => {
    stopped = true;
  });
  await end(1);
  assert.equal(stopped, false);
  await end(2);
  await stopping;
  queue.add(4);
  assert.deepEqual(begun, [1, 2]);
});

test('processes thousands of items once each, in order, within the limit', async () => {
  const count = 10_000;
  const done: number[] = [];
  let running = 0;
  let mostRunning = 0;
  const queue = new WorkQueue<number>({
    maxRunning: 7,
    work: async (item) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await Promise.resolve();
      running -= 1;
      done.push(item);
    },
  });
  for (let item = 0; item < count; item++) {
    queue.add(item);
    if (item % 3_000 === 0) await turn();
  }
  for (let turns = 0; done.length < count && turns < count; turns++) await turn();
  assert.deepEqual(
    done,
    Array.from({ length: count }, (_, item) => item),
  );
  assert.equal(mostRunning, 7);
  assert.equal(queue.waiting, 0);
  await queue.stop();
});
