import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { Poller } from './poller.ts';

const intervals = { minIntervalMs: 250, maxIntervalMs: 2_500 };
const startMs = Date.parse('2026-11-21T09:30:00.000Z');

/** A poller under a test clock. `looks` are the instants of its claims, in ms from the start. */
function startLoop(
  context: TestContext,
  claim: (signal: AbortSignal) => Promise<number> = async () => 0,
  idleIntervalMs?: number,
) {
  const { timers } = context.mock;
  timers.enable({ apis: ['setTimeout', 'Date'], now: startMs });
  const looks: number[] = [];
  const warnings: string[] = [];
  const loop = new Poller({
    name: 'test',
    clock: { nowMs: () => Date.now() },
    log: pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) }),
    claim: (signal) => {
      looks.push(Date.now() - startMs);
      return claim(signal);
    },
    ...intervals,
    idleIntervalMs,
  });
  /** Advances the time millisecond by millisecond, with all resulting work. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed++) {
      timers.tick(1);
      await turn();
    }
  };
  loop.start();
  return { loop, looks, warnings, pass };
}

/** Claims that stay open until the test sets how many rows they took. */
function openClaims() {
  const open: PromiseWithResolvers<number>[] = [];
  const claim = () => {
    const claimed = Promise.withResolvers<number>();
    open.push(claimed);
    return claimed.promise;
  };
  const took = async (number: number, taken: number) => {
    open[number]!.resolve(taken);
    await turn();
  };
  return { claim, took };
}

test('doubles the interval up to the longest while nothing is due', async (context) => {
  const { loop, looks, pass } = startLoop(context);
  await pass(9_000);
  await loop.stop();
  assert.deepEqual(looks, [1, 501, 1_501, 3_501, 6_001, 8_501]);
});

test('rests longer if others wake it, and polls as soon as it is woken', async (context) => {
  const { loop, looks, pass } = startLoop(context, async () => 0, 20_000);
  await pass(10_000);
  loop.wakeAt(startMs + 10_000);
  await pass(25_000);
  await loop.stop();
  assert.deepEqual(looks, [1, 501, 1_501, 3_501, 6_001, 10_001, 30_001]);
});

test('polls again at once after it found rows, and resets the interval', async (context) => {
  const found = [0, 0, 0, 2, 1, 0, 0];
  const { loop, looks, pass } = startLoop(context, async () => found.shift() ?? 0);
  await pass(5_200);
  await loop.stop();
  assert.deepEqual(looks, [1, 501, 1_501, 3_501, 3_502, 3_503, 3_753, 4_253]);
});

test('polls at a requested instant: never earlier, and hardly later', async (context) => {
  const { loop, looks, pass } = startLoop(context);
  await pass(10);
  loop.wakeAt(startMs + 137);
  await pass(200);
  await loop.stop();
  assert.equal(looks.length, 2);
  assert.ok(looks[1]! >= 137 && looks[1]! < 137 + 20, String(looks[1]));
});

test('remembers several instants, in any order', async (context) => {
  const { loop, looks, pass } = startLoop(context);
  await pass(10);
  for (const ms of [300, 100, 400, 200, 300]) loop.wakeAt(startMs + ms);
  await pass(450);
  await loop.stop();
  assert.deepEqual(looks, [1, 100, 200, 300, 400]);
});

test('remembers an instant requested while polls find rows', async (context) => {
  const found = [0, 3, 0];
  const { loop, looks, pass } = startLoop(context, async () => found.shift() ?? 0);
  await pass(10);
  loop.wakeAt(startMs + 60);
  loop.wakeAt(startMs + 100);
  await pass(120);
  await loop.stop();
  assert.deepEqual(looks, [1, 60, 61, 100]);
});

test('polls again after a claim for an instant requested during it', async (context) => {
  const { claim, took } = openClaims();
  const { loop, looks, pass } = startLoop(context, claim);
  await pass(10);
  loop.wakeAt(startMs);
  loop.wakeAt(startMs + 20);
  loop.wakeAt(startMs + 60);
  await pass(30);
  await took(0, 0);
  await pass(5);
  await took(1, 0);
  await pass(30);
  await took(2, 0);
  await loop.stop();
  assert.deepEqual(looks, [1, 41, 60]);
});

test('finds rows due too far ahead to be remembered by regular polls', async (context) => {
  const { loop, looks, pass } = startLoop(context);
  const farMs = 90_000;
  loop.wakeAt(startMs + farMs);
  await pass(farMs + intervals.maxIntervalMs);
  await loop.stop();
  assert.ok(looks.some((ms) => ms >= farMs && ms <= farMs + intervals.maxIntervalMs));
});

test('never runs two claims at once', async (context) => {
  const { claim, took } = openClaims();
  const { loop, looks, pass } = startLoop(context, claim);
  await pass(1);
  for (const ms of [-1_000, 0, 2, 5, 50]) loop.wakeAt(startMs + ms);
  await pass(5_000);
  loop.wakeAt(startMs - 1_000);
  await pass(10);
  assert.deepEqual(looks, [1], 'however long the first one takes');
  await took(0, 1);
  await pass(1);
  assert.equal(looks.length, 2);
  await took(1, 0);
  await loop.stop();
});

test('signals a stop to the claim in progress', async (context) => {
  const { loop, pass } = startLoop(context, (signal) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    signal.addEventListener('abort', () => resolve(0));
    return promise;
  });
  await pass(1);
  await loop.stop();
});

test('survives an error, and logs it with the poller’s name', async (context) => {
  let outage = true;
  const { loop, looks, warnings, pass } = startLoop(context, async () => {
    if (outage) throw new Error('the database is away');
    return 0;
  });
  await pass(10);
  loop.wakeAt(startMs + 40);
  await pass(40);
  outage = false;
  await pass(2_500);
  await loop.stop();
  assert.deepEqual(looks, [1, 40, 2_540], 'does not overload a failing database');
  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!, /"loop":"test".*could not look for due rows/);
  assert.match(warnings[0]!, /the database is away/);
});

test('waits for the claim in progress at a stop, and begins no other', async (context) => {
  const { claim, took } = openClaims();
  const { loop, looks, pass } = startLoop(context, claim);
  await pass(1);
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await pass(100);
  assert.equal(stopped, false);
  await took(0, 5);
  await stopping;
  loop.wakeAt(startMs + 200);
  await pass(10_000);
  assert.deepEqual(looks, [1]);
});

test('does not poll before its start, and may be stopped before', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = { nowMs: () => startMs };
  const log = pino({ level: 'silent' });
  const loop = new Poller({ name: 'idle', clock, log, claim: () => assert.fail('it looked') });
  loop.wakeAt(startMs);
  context.mock.timers.tick(10_000);
  await loop.stop();
});
