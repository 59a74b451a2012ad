import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { eventually } from '../../../server/test/support/eventually.ts';
import { openLoop } from './loops.ts';
import type { RawClient } from './raw-client.ts';
import { Recorder, Window } from './recorder.ts';

const client = {} as RawClient;

test('measures latencies of an open loop from the scheduled time, however late the request is sent', async () => {
  const window = new Window(0.2);
  const startedMs: number[] = [];
  await openLoop(window, [client], 100, async (_client, atMs) => {
    startedMs.push(atMs);
    // The one connection is busy until all requests are scheduled.
    if (startedMs.length === 1) {
      await eventually('all were to be sent', () => window.isOver);
    }
    return { done: Promise.resolve() };
  });
  const intendedMs = Array.from({ length: 20 }, (_, index) => window.startMs + index * 10);
  assert.deepEqual(startedMs.map(Math.round), intendedMs.map(Math.round));
});

test('ends an open loop when its last request is complete, not when it is answered', async () => {
  const window = new Window(0.05);
  const done = Promise.withResolvers<void>();
  let ended = false;
  const loop = openLoop(window, [client], 100, async () => ({ done: done.promise })).then(() => {
    ended = true;
  });
  await eventually('all were sent', () => window.isOver);
  await turn();
  assert.equal(ended, false);
  done.resolve();
  await loop;
});

test('counts the latency of a request at its start, and its end for the rate', () => {
  const window = new Window(1_000_000);
  const recorder = new Recorder(window);
  recorder.add(window.startMs);
  assert.equal(recorder.count, 0, 'it began in the warm-up');
  const begun = new Window(-1);
  // In an ended window: a request that ends now counts for no rate, but its latency counts if it
  // began within the window.
  Object.assign(begun, { fromMs: begun.startMs - 1_000, endMs: begun.startMs - 500 });
  const late = new Recorder(begun);
  late.add(begun.startMs - 700);
  assert.equal(late.count, 1);
  assert.equal(late.perSecond, 0);
});
