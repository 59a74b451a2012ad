import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test/support/database.ts';
import { clockOf, DatabaseClock, readDatabaseMs } from './database-clock.ts';

const startMs = Date.parse('2026-11-21T09:30:00.000Z');
const second = 1_000;
const minute = 60_000;

/** A machine and a database with clocks that are wrong in different ways, and a network between them. */
function world(wallSkewMs = 0) {
  const state = {
    /** The true time. */
    nowMs: startMs,
    wallSkewMs,
    databaseSkewMs: 0,
    /** How long the machine has been suspended: its monotonic clock stood still. */
    sleptMs: 0,
    wayThereMs: 1,
    wayBackMs: 1,
    questions: 0,
  };
  const clock = new DatabaseClock({
    wallClock: { nowMs: () => Math.floor(state.nowMs + state.wallSkewMs) },
    monotonicClock: { nowMs: () => state.nowMs - state.sleptMs - startMs + 123.456 },
    readDatabaseMs: async () => {
      state.questions += 1;
      state.nowMs += state.wayThereMs;
      const databaseMs = state.nowMs + state.databaseSkewMs;
      state.nowMs += state.wayBackMs;
      return databaseMs;
    },
  });
  const databaseMs = () => state.nowMs + state.databaseSkewMs;
  const errorMs = () => clock.nowMs() - databaseMs();
  const kind = () => clock.doubt()?.kind;
  return { state, clock, databaseMs, errorMs, kind };
}

for (const skewMs of [5 * second, 15 * second, 5 * minute].flatMap((ms) => [ms, -ms])) {
  test(`tolerates a wall clock that is ${skewMs / second} s off`, async () => {
    const { state, clock, errorMs, kind } = world(skewMs);
    await clock.measure();
    assert.ok(Math.abs(errorMs()) <= 2, String(errorMs()));
    assert.equal(Math.round(clock.offsetMs()! / second), skewMs / second);
    assert.equal(kind(), Math.abs(skewMs) > minute ? 'WALL_OFF' : undefined);
    state.nowMs += 90 * second;
    assert.ok(Math.abs(errorMs()) <= 2);
  });

  test(`does so on a real database, ${skewMs / second} s off`, async (context) => {
    const { database } = await testDatabase(context);
    const clock = clockOf(database, { nowMs: () => Date.now() + skewMs });
    await clock.measure();
    const before = await readDatabaseMs(database);
    const found = clock.nowMs();
    const after = await readDatabaseMs(database);
    // Slower answers are ignored, so the error is below this.
    assert.ok(found > before - second && found < after + second, `${before} ${found} ${after}`);
  });
}

test('returns whole milliseconds, as the database stores them', async () => {
  const { clock } = world();
  await clock.measure();
  assert.ok(Number.isInteger(clock.nowMs()));
});

test('ignores a change of the wall clock, but is in doubt until the next measurement', async () => {
  const { state, clock, errorMs, kind } = world();
  await clock.measure();
  state.wallSkewMs = -40 * second;
  assert.ok(Math.abs(errorMs()) <= 2);
  assert.equal(kind(), 'MOVED');
  await clock.measure();
  assert.equal(kind(), undefined);
  assert.ok(Math.abs(errorMs()) <= 2);
  state.wallSkewMs += 900;
  assert.equal(kind(), undefined, 'slewing is not a change');
});

test('is in doubt after a suspension, until the next measurement', async () => {
  const { state, clock, errorMs, kind } = world();
  await clock.measure();
  state.nowMs += 5 * minute;
  state.sleptMs = 5 * minute;
  assert.ok(errorMs() < -4 * minute, 'it does not know the elapsed time');
  assert.equal(kind(), 'MOVED');
  await clock.measure();
  assert.equal(kind(), undefined);
  assert.ok(Math.abs(errorMs()) <= 2);
});

test('discards a measurement during which the machine slept', async () => {
  const { state, clock, kind } = world();
  const asleep = new DatabaseClock({
    wallClock: { nowMs: () => state.nowMs },
    monotonicClock: { nowMs: () => state.nowMs - state.sleptMs },
    readDatabaseMs: async () => {
      const databaseMs = state.nowMs;
      state.nowMs += 5 * minute;
      state.sleptMs += 5 * minute;
      return databaseMs;
    },
  });
  await asleep.measure();
  assert.equal(asleep.doubt()?.kind, 'MOVED');
  assert.equal(kind(), 'UNKNOWN');
  assert.equal(clock.isReliable(), false);
});

test('uses the best of several answers, and none that is too slow', async () => {
  const { state, clock, errorMs } = world();
  const ways = [700, 900, 3, 300];
  const slow = new DatabaseClock({
    wallClock: { nowMs: () => state.nowMs },
    monotonicClock: { nowMs: () => state.nowMs },
    readDatabaseMs: async () => {
      const databaseMs = state.nowMs;
      state.nowMs += ways.shift()!;
      return databaseMs;
    },
  });
  await slow.measure();
  assert.ok(Math.abs(slow.nowMs() - state.nowMs) <= 2, 'it used the answer of 3 ms');
  state.wayBackMs = 2_500;
  await assert.rejects(
    clock.measure(),
    /the connection is too slow to measure the time: an answer took/,
  );
  assert.equal(clock.doubt()?.kind, 'UNKNOWN');
  state.wayBackMs = 1;
  await clock.measure();
  assert.ok(Math.abs(errorMs()) <= 2);
  assert.equal(state.questions, 4 + 3);
});

test('uses a slow answer only as far as its uncertainty permits', async () => {
  const { state, clock, errorMs } = world();
  await clock.measure();
  const before = errorMs();
  state.wayBackMs = 1_600;
  await clock.measure();
  assert.equal(errorMs(), before);
  state.databaseSkewMs = 10 * second;
  await clock.measure();
  assert.ok(errorMs() <= 0 && errorMs() >= -1_700, String(errorMs()));
  state.wayBackMs = 1;
  await clock.measure();
  assert.ok(Math.abs(errorMs()) <= 3);
});

test('stands still after the database’s clock was set back, until the time has caught up', async () => {
  const { state, clock, databaseMs, kind } = world();
  await clock.measure();
  const latestMs = clock.nowMs();
  state.databaseSkewMs = -15 * second;
  await clock.measure();
  assert.equal(clock.nowMs(), latestMs);
  assert.equal(kind(), 'SET_BACK');
  assert.match(clock.doubt()!.reason, /was set back by 15\.0 s/);
  state.nowMs += 14.5 * second;
  assert.equal(clock.nowMs(), latestMs);
  assert.equal(kind(), undefined, 'leases tolerate half a second');
  state.nowMs += 10 * second;
  assert.ok(Math.abs(clock.nowMs() - databaseMs()) <= 2);
});

test('is in doubt three minutes after the last measurement', async () => {
  const { state, clock, kind } = world();
  await clock.measure();
  state.nowMs += 3 * minute - second;
  assert.equal(kind(), undefined);
  state.nowMs += 2 * second;
  assert.equal(kind(), 'STALE');
  assert.match(clock.doubt()!.reason, /for 3 minutes/);
  await clock.measure();
  assert.equal(kind(), undefined);
});

test('explains a wall clock that is more than a minute off, and takes no work', async () => {
  const { state, clock } = world(-61 * second);
  await clock.measure();
  assert.equal(clock.isReliable(), false);
  assert.equal(clock.doubt()!.reason, "the clock of this machine is 61.0 s behind the database's");
  state.wallSkewMs = 59 * second;
  await clock.measure();
  assert.equal(clock.isReliable(), true);
});

test('shares one measurement between concurrent calls', async () => {
  const { state, clock } = world();
  await clock.measure();
  const before = state.questions;
  await Promise.all([clock.measure(), clock.measure(), clock.measure()]);
  assert.equal(state.questions, before + 1);
});

type World = ReturnType<typeof world>;

const steps: Record<string, (world: World, ms: number) => unknown> = {
  wait: ({ state }, ms) => {
    state.nowMs += Math.abs(ms);
  },
  setDatabase: ({ state }, ms) => {
    state.databaseSkewMs += ms;
  },
  setWall: ({ state }, ms) => {
    state.wallSkewMs += ms;
  },
  sleep: ({ state }, ms) => {
    state.nowMs += Math.abs(ms);
    state.sleptMs += Math.abs(ms);
  },
  line: ({ state }, ms) => {
    state.wayThereMs = Math.abs(ms) % 1_500;
    state.wayBackMs = Math.abs(ms * 7) % 1_500;
  },
  measure: ({ clock }) =>
    clock.measure().then(
      () => 'measured',
      () => 'failed',
    ),
};

test('never runs backwards, and is right or in doubt after each measurement, whatever the clocks do', async () => {
  const step = fc.record({
    name: fc.constantFrom(...Object.keys(steps)),
    ms: fc.integer({ min: -200_000, max: 200_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (plan) => {
      const each = world();
      await each.clock.measure();
      let latestMs = each.clock.nowMs();
      /** The change of the wall clock relative to the monotonic clock since the last measurement. */
      let movedMs = 0;
      for (const { name, ms } of plan) {
        const done = await steps[name]!(each, ms);
        assert.ok(each.clock.nowMs() >= latestMs, 'it went backwards');
        latestMs = each.clock.nowMs();
        if (name === 'sleep') movedMs += Math.abs(ms);
        if (name === 'setWall') movedMs += ms;
        if (done === 'measured') movedMs = 0;
        if (Math.abs(movedMs) > 1_001) assert.equal(each.clock.isReliable(), false);
        if (done !== 'measured' || !each.clock.isReliable()) continue;
        // The uncertainty of the slowest accepted answer, plus the tolerance of leases.
        assert.ok(Math.abs(each.errorMs()) <= 2_000 + 1_000, String(each.errorMs()));
      }
    }),
    { numRuns: 1_000 },
  );
});
