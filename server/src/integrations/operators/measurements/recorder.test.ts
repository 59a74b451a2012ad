import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../../../test/support/database.ts';
import { reportProcess, unregisterProcess } from '../../../operations/doctor/process-registry.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { OperatorQueue } from '../queue.ts';
import { MeasurementRecorder } from './recorder.ts';
import { measurementsOf } from './series.ts';
import { type ProcessOperatorStates, watchers } from './store.ts';
import { answersOf } from './sums.ts';
import { sweepMeasurements } from './sweep.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-11-22T12:59:30Z');
const debit = { call: 'requestDebit', answer: 'PENDING', durationMs: 40 } as const;

/** A database, a clock that the test sets, and the processes that it starts. */
async function world(context: TestContext) {
  const { database } = await testDatabase(context);
  const clock = { ms: startMs, nowMs: () => clock.ms };
  const newProcess = async (through: Database = database) => {
    const id = randomUUID();
    const running = { id, role: 'all', host: 'praia', pid: 7, version: '1', settings: {} };
    await reportProcess(database, { ...running, clockOffsetMs: 0, memoryBytes: 0 });
    const monotonicClock = clock;
    const base = { database: through, clock, monotonicClock, log: silentLog, processId: id };
    const recorder = new MeasurementRecorder({ ...base, measureIntervalMs: 3_600_000 });
    cleanUp(context, () => recorder.stop());
    return { id, recorder };
  };
  const read = async (operator: OperatorQueue = 'CVMOVEL', stepSeconds = 60) => {
    const asked = { fromMs: startMs - 600_000, untilMs: startMs + 600_000, stepSeconds };
    const points = await measurementsOf(database, { operators: [operator], ...asked });
    return points.filter(({ p50Ms, notSent, pauses }) => p50Ms !== undefined || notSent || pauses);
  };
  return { database, clock, newProcess, read };
}

/** The same database, whose next statement fails in the given way. */
function faulty(database: Database) {
  const state: { next: 'refused' | 'answer lost' | undefined; statements: number } = {
    next: undefined,
    statements: 0,
  };
  const through: Database = {
    ...database,
    query: async (statement, values) => {
      state.statements += 1;
      const { next } = state;
      state.next = undefined;
      if (next === 'refused') throw new Error('the connection broke');
      const rows = await database.query(statement, values);
      if (next === 'answer lost') throw new Error('the connection broke');
      return rows as never;
    },
  };
  return { state, through };
}

test('adds up the counts of processes, by minute and by half-hour, across the end of both', async (context) => {
  const { clock, newProcess, read } = await world(context);
  const [one, other] = [await newProcess(), await newProcess()];
  one.recorder.note('CVMOVEL', debit);
  one.recorder.note('CVMOVEL', { ...debit, answer: 'INSUFFICIENT_FUNDS', durationMs: 900 });
  one.recorder.note('SIMULATOR', debit);
  await one.recorder.flush();
  other.recorder.note('CVMOVEL', { ...debit, answer: 'UNREACHABLE', durationMs: 10_000 });
  other.recorder.note('CVMOVEL', { ...debit, answer: 'NOT_SENT', durationMs: 0 });
  clock.ms += 60_000;
  for (let call = 0; call < 5; call++) one.recorder.note('CVMOVEL', debit);
  other.recorder.note('CVMOVEL', debit);
  other.recorder.note('CVMOVEL', { ...debit, call: 'queryDebit', answer: 'succeeded' });
  await Promise.all([one.recorder.flush(), other.recorder.flush()]);
  const [first, second, ...more] = await read();
  assert.deepEqual(more, []);
  const { fromMs, answered, refused, unknown, notSent, answeredShare } = first!;
  assert.equal(fromMs, Date.parse('2026-11-22T12:59:00Z'));
  assert.deepEqual([answered, refused, unknown, notSent, answeredShare], [1, 1, 1, 1, 0.5]);
  assert.ok(first!.p50Ms! > 500 && first!.p50Ms! <= 1_000, 'what was not sent took no time');
  assert.deepEqual([second!.answered, second!.unknown, second!.answeredShare], [7, 0, 1]);
  const halves = await read('CVMOVEL', 1_800);
  assert.deepEqual(
    halves.map((half) => half.answered + half.refused + half.unknown + half.notSent),
    [4, 7],
  );
  assert.equal((await read('SIMULATOR')).length, 1, 'test mode counts for itself');
});

for (const [fault, promise] of [
  ['refused', 'a flush that the database does not take loses nothing'],
  ['answer lost', 'a flush whose answer is lost doubles nothing'],
] as const) {
  test(promise, async (context) => {
    const { database, newProcess, read } = await world(context);
    const { state, through } = faulty(database);
    const { recorder } = await newProcess(through);
    recorder.note('CVMOVEL', debit);
    await recorder.flush();
    recorder.note('CVMOVEL', debit);
    recorder.note('CVMOVEL', debit);
    state.next = fault;
    await assert.rejects(recorder.flush());
    recorder.note('CVMOVEL', debit);
    await recorder.flush();
    await recorder.flush();
    const [minute] = await read();
    assert.equal(minute!.answered, 4);
    assert.equal((await read('CVMOVEL', 1_800))[0]!.answered, 4);
  });
}

test('makes no statement for a call, and none in a process without news', async (context) => {
  const { database, newProcess } = await world(context);
  const { state, through } = faulty(database);
  const { recorder } = await newProcess(through);
  for (let call = 0; call < 10_000; call++) recorder.note('CVMOVEL', debit);
  assert.equal(state.statements, 0);
  await recorder.flush();
  assert.equal(state.statements, 1);
  await recorder.flush();
  assert.equal(state.statements, 1);
});

test('limits the memory for counts while the database is unavailable', async (context) => {
  const { clock, newProcess, database } = await world(context);
  const { recorder } = await newProcess();
  for (let minute = 0; minute < 6_000; minute++) {
    clock.ms += 60_000;
    recorder.note('CVMOVEL', debit);
  }
  await recorder.flush();
  const text = 'SELECT count(*)::integer FROM operator_measurements WHERE slot_seconds = 60';
  assert.deepEqual(await database.query({ text }), [{ count: 5_000 }]);
});

test("lists the processes' states of operators until they stop or die", async (context) => {
  const { database, clock, newProcess, read } = await world(context);
  const [one, other] = [await newProcess(), await newProcess()];
  const pause = { reason: 'UNANSWERED', sinceMs: startMs, untilMs: startMs + 5_000 } as const;
  let here: ProcessOperatorStates = { CVMOVEL: { pause: null, waiting: 3 } };
  one.recorder.start(() => here);
  other.recorder.start(() => ({ CVMOVEL: { pause: null, waiting: 0 } }));
  await one.recorder.flush();
  await other.recorder.flush();
  const seen = async () => (await watchers(database)).map(({ id, states }) => ({ id, states }));
  assert.equal((await seen()).length, 2);
  here = { CVMOVEL: { pause, waiting: 9 } };
  await one.recorder.flush();
  here = { CVMOVEL: { pause: { ...pause, untilMs: startMs + 9_000 }, waiting: 9 } };
  await one.recorder.flush();
  const reported = (await seen()).find(({ id }) => id === one.id);
  assert.deepEqual(reported?.states, here);
  assert.equal((await read())[0]!.pauses, 1, 'a pause that is prolonged is one');
  clock.ms += 60_000;
  here = { CVMOVEL: { pause: { ...pause, sinceMs: clock.ms }, waiting: 9 } };
  await one.recorder.flush();
  assert.equal((await read())[1]!.pauses, 1, 'the next one is another');
  await other.recorder.stop();
  assert.deepEqual(
    (await seen()).map(({ id }) => id),
    [one.id],
  );
  await one.recorder.stop();
  assert.deepEqual(await seen(), []);
});

test('soon stops listing a killed process, whatever it said last', async (context) => {
  const { database, newProcess } = await world(context);
  const { id, recorder } = await newProcess();
  recorder.start(() => ({ CVMOVEL: { pause: null, waiting: 0 } }));
  await recorder.flush();
  assert.equal((await watchers(database)).length, 1);
  const text = `UPDATE operator_watchers SET seen_at = now() - interval '2 minutes'`;
  await database.query({ text });
  assert.deepEqual(await watchers(database), []);
  await database.query({ text: 'UPDATE operator_watchers SET seen_at = now()' });
  await unregisterProcess(database, id);
  assert.deepEqual(await watchers(database), []);
});

test('removes minutes after 8 days and half-hours after 35, and nothing younger', async (context) => {
  const { database, clock, newProcess } = await world(context);
  const { recorder } = await newProcess();
  const at = async (agoMs: number) => {
    clock.ms = startMs - agoMs;
    recorder.note('CVMOVEL', debit);
    await recorder.flush();
  };
  for (const days of [36, 34, 9, 7, 0]) await at(days * dayMs);
  clock.ms = startMs;
  const count = async (slotSeconds: number) => {
    const asked = { operators: ['CVMOVEL'] as const, fromMs: 0, untilMs: startMs + 1 };
    const answers = await answersOf(database, { ...asked, stepSeconds: slotSeconds });
    return answers.reduce((sum, each) => sum + each.count, 0);
  };
  assert.deepEqual([await count(60), await count(1_800)], [5, 5]);
  await sweepMeasurements({ database, clock });
  assert.deepEqual([await count(60), await count(1_800)], [2, 4]);
});
