import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test/support/database.ts';
import { clockOf, DatabaseClock, readDatabaseMs } from './database-clock.ts';

const startMs = Date.parse('2026-11-21T09:30:00.000Z');
const second = 1_000;
const minute = 60_000;

/** A machine and a database whose clocks are wrong each in its way, and a line between them. */
function world(wallSkewMs = 0) {
  const state = {
    /** What time it really is. */
    nowMs: startMs,
    wallSkewMs,
    databaseSkewMs: 0,
    /** The machine slept so long: its monotonic clock stood still. */
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
  test(`a wall clock that is ${skewMs / second} s off is no matter`, async () => {
    const { state, clock, errorMs, kind } = world(skewMs);
    await clock.measure();
    assert.ok(Math.abs(errorMs()) <= 2, String(errorMs()));
    assert.equal(Math.round(clock.offsetMs()! / second), skewMs / second);
    assert.equal(kind(), Math.abs(skewMs) > minute ? 'WALL_OFF' : undefined);
    state.nowMs += 90 * second;
    assert.ok(Math.abs(errorMs()) <= 2);
  });

  test(`on a real database, too, ${skewMs / second} s off`, async (context) => {
    const { database } = await testDatabase(context);
    const clock = clockOf(database, { nowMs: () => Date.now() + skewMs });
    await clock.measure();
    const before = await readDatabaseMs(database);
    const found = clock.nowMs();
    const after = await readDatabaseMs(database);
    // No answer that was slower would have been believed.
    assert.ok(found > before - second && found < after + second, `${before} ${found} ${after}`);
  });
}

test('it gives whole milliseconds, as the database keeps them', async () => {
  const { clock } = world();
  await clock.measure();
  assert.ok(Number.isInteger(clock.nowMs()));
});

test('a wall clock that is set does not move it; it is in doubt until it is measured', async () => {
  const { state, clock, errorMs, kind } = world();
  await clock.measure();
  state.wallSkewMs = -40 * second;
  assert.ok(Math.abs(errorMs()) <= 2);
  assert.equal(kind(), 'MOVED');
  await clock.measure();
  assert.equal(kind(), undefined);
  assert.ok(Math.abs(errorMs()) <= 2);
  state.wallSkewMs += 900;
  assert.equal(kind(), undefined, 'a clock that is slewed is none that was set');
});

test('a machine that slept is in doubt until it has measured', async () => {
  const { state, clock, errorMs, kind } = world();
  await clock.measure();
  state.nowMs += 5 * minute;
  state.sleptMs = 5 * minute;
  assert.ok(errorMs() < -4 * minute, 'it knows nothing of the time that passed');
  assert.equal(kind(), 'MOVED');
  await clock.measure();
  assert.equal(kind(), undefined);
  assert.ok(Math.abs(errorMs()) <= 2);
});

test('a machine that sleeps during the measurement has measured nothing', async () => {
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

test('the best of several answers counts, and none that is too slow', async () => {
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
  assert.ok(Math.abs(slow.nowMs() - state.nowMs) <= 2, 'it took the one of 3 ms');
  state.wayBackMs = 2_500;
  await assert.rejects(clock.measure(), /the connection is too slow to tell the time by: it took/);
  assert.equal(clock.doubt()?.kind, 'UNKNOWN');
  state.wayBackMs = 1;
  await clock.measure();
  assert.ok(Math.abs(errorMs()) <= 2);
  assert.equal(state.questions, 4 + 3);
});

test('a slow answer confirms what is known, and corrects no more than it can', async () => {
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

test('when the clock of the database is set back, it stands still until the time has caught up', async () => {
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
  assert.equal(kind(), undefined, 'leases bear half a second');
  state.nowMs += 10 * second;
  assert.ok(Math.abs(clock.nowMs() - databaseMs()) <= 2);
});

test('what has not been measured for three minutes is in doubt', async () => {
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

test('a wall clock more than a minute off is explained in words, and no work is taken', async () => {
  const { state, clock } = world(-61 * second);
  await clock.measure();
  assert.equal(clock.isReliable(), false);
  assert.equal(clock.doubt()!.reason, "the clock of this machine is 61.0 s behind the database's");
  state.wallSkewMs = 59 * second;
  await clock.measure();
  assert.equal(clock.isReliable(), true);
});

test('of several measurements at once there is one', async () => {
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

test('whatever befalls the clocks: never backwards, and after a measurement right or in doubt', async () => {
  const step = fc.record({
    name: fc.constantFrom(...Object.keys(steps)),
    ms: fc.integer({ min: -200_000, max: 200_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (plan) => {
      const each = world();
      await each.clock.measure();
      let latestMs = each.clock.nowMs();
      /** By how much the wall clock has moved against the monotonic one since the last measurement. */
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
        // The width of the slowest answer that is believed, and what leases bear.
        assert.ok(Math.abs(each.errorMs()) <= 2_000 + 1_000, String(each.errorMs()));
      }
    }),
    { numRuns: 1_000 },
  );
});
