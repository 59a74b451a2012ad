import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { rowsRead } from '../../../test/support/rows-read.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { systemClock } from '../process/clock.ts';
import { dueWatch } from './due-watch.ts';

const tables = [
  'payments',
  'refunds',
  'reversals',
  'deliveries',
  'operator_callbacks',
  'checkout_sessions',
  'settlements',
  'simulator_transactions',
  'reconciliations',
  'reconciliation_differences',
] as const;

/** What a watch has told of each table. */
function startWatch(context: TestContext, database: Database) {
  const woken: [table: string, atMs: number][] = [];
  const wake = {} as Parameters<typeof dueWatch>[1];
  for (const table of tables) wake[table] = (atMs) => void woken.push([table, atMs]);
  const watch = dueWatch({ database, clock: systemClock, log: silentLog }, wake);
  watch.start();
  context.after(() => watch.stop());
  return woken;
}

const insertDeliveries = `
INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
SELECT $1, $1, uuidv7(), 'PENDING', 0, to_timestamp(1e9 + n), now(), now() FROM generate_series(1, $2::integer) AS n`;
const id = '0a1b2c3d-0000-7000-8000-000000000001';

test('wakes the worker of a table when its first row is due, regardless of the writer', async (context) => {
  const { database } = await freshDatabase(context);
  await database.query({ text: insertDeliveries }, [id, 3]);
  const woken = startWatch(context, database);
  const first = await eventually('somebody is woken', () => woken[0]);
  assert.deepEqual(first, ['deliveries', 1_000_000_001_000]);
});

test('reads one row of a table, regardless of the number of due rows and the statistics', async (context) => {
  const { database } = await freshDatabase(context);
  await database.query({ text: 'ALTER TABLE deliveries SET (autovacuum_enabled = false)' });
  await database.query({ text: insertDeliveries }, [id, 1]);
  await database.query({ text: 'ANALYZE deliveries' });
  await database.query({ text: insertDeliveries }, [id, 5_000]);
  let read: Promise<number> | undefined;
  const watched: Queryable['query'] = (statement, values) => {
    read ??= rowsRead(database, (explained) => explained.query(statement, values));
    return database.query(statement, values);
  };
  startWatch(context, { ...database, query: watched });
  assert.ok((await eventually('it looks', () => read)) <= tables.length);
});
