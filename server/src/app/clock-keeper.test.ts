import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { cleanUp } from '../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import {
  type ClockDoubt,
  DatabaseClock,
  readDatabaseMs,
} from '../platform/postgres/database-clock.ts';
import { monotonicClock } from '../platform/process/clock.ts';
import { ClockKeeper } from './clock-keeper.ts';

const minute = 60_000;

/** A clock keeper with counted measurements, under the test's own time. */
async function keeperOf(context: TestContext) {
  const state = {
    nowMs: 0,
    measurements: 0,
    fails: false,
    doubt: undefined as ClockDoubt | undefined,
    lines: [] as string[],
    heard: 0,
  };
  const keeper = new ClockKeeper({
    clock: {
      doubt: () => state.doubt,
      measure: async () => {
        state.measurements += 1;
        if (state.fails) throw new Error('no database');
      },
    },
    log: pino({ level: 'info' }, { write: (line: string) => state.lines.push(line) }),
    monotonicClock: { nowMs: () => state.nowMs },
    onMeasured: async () => {
      state.heard += 1;
    },
    intervalMs: minute,
  });
  context.mock.timers.enable({ apis: ['setInterval'] });
  await keeper.start();
  cleanUp(context, () => keeper.stop());
  /** Advances time with a check each second; returns the number of measurements. */
  const pass = async (ms: number) => {
    const before = state.measurements;
    for (const endMs = state.nowMs + ms; state.nowMs < endMs; ) {
      state.nowMs += 1_000;
      await keeper.tick();
    }
    return state.measurements - before;
  };
  return { state, keeper, pass };
}

test('measures the clock at the start, and then every minute', async (context) => {
  const { state, pass } = await keeperOf(context);
  assert.equal(state.measurements, 1);
  assert.equal(await pass(59_000), 0);
  assert.equal(await pass(1_000), 1);
  assert.equal(await pass(10 * minute), 10);
  assert.equal(state.heard, 12);
});

test('fails to start without a measurement', async () => {
  const keeper = new ClockKeeper({
    clock: { doubt: () => undefined, measure: () => Promise.reject(new Error('no database')) },
    log: silentLog,
    monotonicClock: { nowMs: () => 0 },
    onMeasured: async () => {},
    intervalMs: minute,
  });
  await assert.rejects(keeper.start(), /no database/);
});

test('repeats a failed measurement every five seconds, and does not report it as a success', async (context) => {
  const { state, pass } = await keeperOf(context);
  state.fails = true;
  assert.equal(await pass(minute + 30_000), 7);
  assert.equal(state.heard, 1);
  state.fails = false;
  assert.equal(await pass(5_000), 1);
  assert.equal(await pass(59_000), 0);
});

test('measures at once after a broken connection, but at most once a second', async (context) => {
  const { state, keeper, pass } = await keeperOf(context);
  await pass(3_000);
  for (let count = 0; count < 5; count++) keeper.connection('lost');
  assert.equal(state.measurements, 2);
  assert.equal(await pass(2_000), 1, 'other connections broke after the measurement began');
  assert.equal(await pass(20_000), 0);
});

test('retries each second after a broken connection, until it has measured', async (context) => {
  const { state, keeper, pass } = await keeperOf(context);
  await pass(3_000);
  state.fails = true;
  keeper.connection('lost');
  await keeper.tick();
  assert.equal(await pass(4_000), 4);
  state.fails = false;
  assert.equal(await pass(4_000), 1);
});

test('measures at a new connection if the last measurement is old or failed', async (context) => {
  const { state, keeper, pass } = await keeperOf(context);
  await pass(29_000);
  keeper.connection('made');
  assert.equal(await pass(2_000), 0);
  keeper.connection('made');
  assert.equal(state.measurements, 2);
  assert.equal(await pass(59_000), 0, 'the minute starts again');
  state.fails = true;
  assert.equal(await pass(3_000), 1);
  state.fails = false;
  keeper.connection('made');
  assert.equal(state.measurements, 4);
});

test('measures at once after the wall clock was set', async (context) => {
  const { state, pass } = await keeperOf(context);
  await pass(10_000);
  state.doubt = { kind: 'MOVED', reason: 'set' };
  assert.equal(await pass(1_000), 1);
});

test('logs a doubt once, and its end once', async (context) => {
  const { state, pass } = await keeperOf(context);
  state.doubt = { kind: 'WALL_OFF', reason: 'the clock is 61 s ahead' };
  await pass(3 * minute);
  state.doubt = { kind: 'WALL_OFF', reason: 'the clock is 62 s ahead' };
  await pass(3 * minute);
  assert.equal(state.lines.length, 1);
  assert.match(state.lines[0]!, /"level":50.*the clock is 61 s ahead: this process takes no work/);
  state.doubt = undefined;
  await pass(3_000);
  assert.equal(state.lines.length, 2);
  assert.match(state.lines[1]!, /"level":30.*is reliable again: this process takes work/);
});

test("the doubt includes the measurement's error", async (context) => {
  const { state, pass } = await keeperOf(context);
  state.fails = true;
  await pass(2 * minute);
  state.doubt = { kind: 'STALE', reason: 'not for 3 minutes' };
  await pass(1_000);
  assert.match(state.lines[0]!, /no database.*not for 3 minutes/);
});

test('measures at once after a fail-over to a database with another clock', async (context) => {
  const { url, database: other } = await testDatabase(context);
  let skewMs = 0;
  const keepers: ClockKeeper[] = [];
  const database = openDatabase({
    url,
    log: silentLog,
    maxConnections: 4,
    onConnection: (change) => keepers[0]?.connection(change),
  });
  cleanUp(context, () => database.close());
  const clock = new DatabaseClock({
    wallClock: { nowMs: () => Date.now() },
    monotonicClock,
    readDatabaseMs: async () => (await readDatabaseMs(database)) + skewMs,
  });
  const onMeasured = async () => {};
  const keeper = new ClockKeeper({
    clock,
    log: silentLog,
    monotonicClock,
    onMeasured,
    intervalMs: minute,
  });
  keepers.push(keeper);
  await keeper.start();
  cleanUp(context, () => keeper.stop());
  const before = Math.round(clock.offsetMs()! / 1_000);
  skewMs = 15_000;
  const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      -- Autovacuum belongs to the superuser, who alone may end it.
      AND backend_type = 'client backend'`;
  await other.query({ text });
  await eventually('the clock is measured again', async () => {
    await database.query({ text: 'SELECT 1' }).catch(() => {});
    return Math.round(clock.offsetMs()! / 1_000) === before - 15;
  });
});
