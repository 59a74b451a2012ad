import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { systemClock } from '../clock.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { type DeliveryAttempt, recordAttempts } from './delivery-store.ts';
import { EndpointHealth } from './health.ts';

const tenantId = randomUUID();
const endpointId = randomUUID();
const leaseMs = Date.parse('2100-01-01T00:00:00Z');
const insert = `
INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
SELECT $1, $2, uuidv7(), 'PENDING', 0, $3, now(), now() FROM generate_series(1, $4::integer)
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

async function dueDeliveries(database: Database, count: number): Promise<DeliveryAttempt[]> {
  const values = [tenantId, endpointId, new Date(leaseMs).toISOString(), count];
  const rows = await database.query<{ eventId: string }>({ text: insert }, values);
  return rows.map(({ eventId }) => attemptOf(eventId, leaseMs));
}

async function succeeded(database: Database): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM deliveries WHERE status = 'SUCCEEDED'`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}

interface Plan {
  'WAL Records': number;
  'WAL FPI': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

test('a recorded attempt reads few pages and writes few WAL records, however many share its lease', async (context) => {
  const { database } = await testDatabase(context);
  // As a table that grew usually looks: nearly nothing is due, so an index of what is due seems to be the best.
  await dueDeliveries(database, 3_000);
  await database.query({ text: 'UPDATE deliveries SET due_at = NULL' });
  await database.query({ text: 'ANALYZE deliveries' });
  const attempts = await dueDeliveries(database, 400);
  let plan: Plan | undefined;
  let statements = 0;
  const explaining: Queryable = {
    async query<Row>({ text }: Statement, values: readonly unknown[] = []) {
      statements += 1;
      const explain = `EXPLAIN (ANALYZE, WAL, BUFFERS, FORMAT JSON) ${text}`;
      const [row] = await database.query<Record<string, [{ Plan: Plan }]>>(
        { text: explain },
        values,
      );
      plan = row!['QUERY PLAN']![0].Plan;
      return [] as Row[];
    },
  };
  await recordAttempts(explaining, attempts);
  assert.equal(await succeeded(database), 400);
  assert.equal(statements, 1);
  const pages = plan!['Shared Hit Blocks'] + plan!['Shared Read Blocks'];
  assert.ok(pages / 400 <= 25, `${pages / 400} pages each`);
  // Each: the row, and its entry in the primary key; some pages of the index are split.
  const records = plan!['WAL Records'];
  assert.ok(records / 400 <= 3.5, `${records / 400} WAL records each`);
});

test('nothing is recorded under a lease that has passed to another', async (context) => {
  const { database } = await testDatabase(context);
  const [mine, other] = await dueDeliveries(database, 2);
  await recordAttempts(database, [mine!, attemptOf(other!.delivery.eventId, leaseMs - 1)]);
  assert.equal(await succeeded(database), 1);
});

/** Counts the statements that record attempts. */
async function openRecorder(context: TestContext) {
  const { database } = await testDatabase(context);
  let statements = 0;
  const counting: Database = {
    ...database,
    query: (statement, values) => {
      if (statement.name === 'deliveries.record') statements += 1;
      return database.query(statement, values);
    },
  };
  const health = new EndpointHealth({ database, log: silentLog, onDisabled() {} });
  // Its timers run when the test says so.
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

test('attempts of some milliseconds are one statement', async (context) => {
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

test('stop records what was gathered', async (context) => {
  const { database, recorder } = await openRecorder(context);
  for (const attempt of await dueDeliveries(database, 3)) recorder.record(attempt);
  await recorder.stop();
  assert.equal(await succeeded(database), 3);
});
