import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import type { Database, Queryable, Statement } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { type DeliveryAttempt, recordAttempts } from './delivery-store.ts';
import { EndpointHealth } from './health.ts';

const tenantId = randomUUID();
const endpointId = randomUUID();
const leaseMs = Date.parse('2100-01-01T00:00:00Z');
const insert = `
INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
SELECT $1, $2, uuidv7(), 'PENDING', 0, $3::timestamptz, now(), now() FROM generate_series(1, $4::integer)
RETURNING event_id AS "eventId"`;

const attemptOf = (eventId: string, dueAtMs: number): DeliveryAttempt => ({
  delivery: {
    tenantId,
    endpointId,
    mode: 'test',
    endpointVersion: 1,
    eventId,
    sequence: 1,
    body: '',
    attemptCount: 0,
    dueAtMs,
  },
  status: 'SUCCEEDED',
  dueAtMs: null,
  attemptCount: 1,
  statusCode: 200,
  error: null,
  atMs: Date.now(),
  detail: {
    at: new Date().toISOString(),
    statusCode: 200,
    durationMs: 1,
    error: null,
    response: null,
  },
});

const dueDeliveries = (database: Database, count: number) =>
  deliveries(database, count, new Date(leaseMs).toISOString());

async function deliveries(
  database: Database,
  count: number,
  dueAt: string | null,
): Promise<DeliveryAttempt[]> {
  const values = [tenantId, endpointId, dueAt, count];
  const rows = await database.query<{ eventId: string }>({ text: insert }, values);
  return rows.map(({ eventId }) => attemptOf(eventId, leaseMs));
}

async function succeeded(database: Database): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM deliveries WHERE status = 'SUCCEEDED'`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}

interface Plan {
  'WAL Records': number;
}

test('records attempts with one statement, and with few WAL records for each', async (context) => {
  const { database } = await freshDatabase(context);
  const attempts = await dueDeliveries(database, 400);
  const walRecords: number[] = [];
  const explaining: Queryable = {
    async query<Row>({ text }: Statement, values: readonly unknown[] = []) {
      const explain = `EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`;
      const [row] = await database.query<Record<string, [{ Plan: Plan }]>>(
        { text: explain },
        values,
      );
      walRecords.push(row!['QUERY PLAN']![0].Plan['WAL Records']);
      return [] as Row[];
    },
  };
  await recordAttempts(explaining, attempts);
  assert.equal(await succeeded(database), 400);
  assert.equal(walRecords.length, 1);
  // The row, and its entry in the primary key; besides, some page splits.
  assert.ok(walRecords[0]! / 400 <= 3.5, `${walRecords[0]! / 400} WAL records each`);
});

test('looks an attempt up by its key alone, however many share its lease', async (context) => {
  const { database } = await freshDatabase(context);
  // As usual in a table that grew: nothing is due, so an index of due rows seems best to the planner.
  await deliveries(database, 3_000, null);
  await database.query({ text: 'ANALYZE deliveries' });
  const attempts = await dueDeliveries(database, 400);
  const read = await database.transaction(async (transaction) => {
    await recordAttempts(transaction, attempts);
    const text = `
      SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid))::integer AS read
      FROM pg_index WHERE indrelid = 'deliveries'::regclass`;
    return (await transaction.query<{ read: number }>({ text }))[0]!.read;
  });
  assert.equal(await succeeded(database), 400);
  assert.ok(read <= 2 * 400, `${read} index entries read`);
});

test('records nothing under a lost lease', async (context) => {
  const { database } = await freshDatabase(context);
  const [mine, other] = await dueDeliveries(database, 2);
  await recordAttempts(database, [mine!, attemptOf(other!.delivery.eventId, leaseMs - 1)]);
  assert.equal(await succeeded(database), 1);
});

/** Counts the statements that record attempts. */
async function openRecorder(context: TestContext) {
  const { database } = await freshDatabase(context);
  let statements = 0;
  const counting: Database = {
    ...database,
    query: (statement, values) => {
      if (statement.name === 'deliveries.record') statements += 1;
      return database.query(statement, values);
    },
  };
  const health = new EndpointHealth({
    database,
    clock: systemClock,
    ids: randomIds(),
    log: silentLog,
    onDisabled() {},
  });
  // The test fires its timers.
  const timers: (() => void)[] = [];
  const clock = {
    ...systemClock,
    after: (_waitMs: number, run: () => void) => {
      timers.push(run);
      return () => {};
    },
  };
  const recorder = new AttemptRecorder({
    database: counting,
    clock,
    log: silentLog,
    health,
    onDueAgain() {},
  });
  return { database, recorder, timers, statements: () => statements };
}

test('collects the attempts of some milliseconds in one statement', async (context) => {
  const { database, recorder, timers, statements } = await openRecorder(context);
  for (const attempt of await dueDeliveries(database, 100)) {
    recorder.record(attempt);
    await new Promise(setImmediate);
  }
  assert.deepEqual([statements(), timers.length], [0, 1], 'they are gathered');
  timers[0]!();
  await eventually(
    'they are recorded',
    async () => (await succeeded(database)) === 100 || undefined,
  );
  assert.equal(statements(), 1);
});

test('records the collected attempts at a stop', async (context) => {
  const { database, recorder } = await openRecorder(context);
  for (const attempt of await dueDeliveries(database, 3)) recorder.record(attempt);
  await recorder.stop();
  assert.equal(await succeeded(database), 3);
});
