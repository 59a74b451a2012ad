import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type Delivery, waitForEndpoint } from './delivery-store.ts';
import { insertEndpoint, updateEndpoint } from './endpoint-store.ts';

const tenantId = '019aa5d4-e0fb-7000-8000-000000000001';
const id = '019aa5d4-e0fb-7000-8000-000000000002';
const eventId = '019aa5d4-e0fb-7000-8000-000000000003';
const startMs = Date.parse('2026-11-21T09:30:00Z');
const leaseMs = startMs + 45_000;
const laterMs = startMs + 10_000;
const delivery: Delivery = {
  tenantId,
  endpointId: id,
  mode: 'test',
  endpointVersion: 1,
  eventId,
  sequence: 1,
  body: '{}',
  attemptCount: 0,
  dueAtMs: leaseMs,
};

/** A disabled endpoint, and a delivery to it that a worker holds under a lease. */
async function disabledEndpoint(context: TestContext): Promise<Database> {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId);
  await insertEndpoint(database, {
    tenantId,
    id,
    version: 1,
    url: 'https://shop.cv/webhooks',
    events: ['payment.debited'],
    status: 'ACTIVE',
    disabledReason: null,
    description: null,
    secretBox: Buffer.alloc(1),
    idempotencyKey: null,
    requestHash: null,
    answerBox: null,
    createdAtMs: startMs,
    updatedAtMs: startMs,
  });
  await updateEndpoint(database, { tenantId, id }, { status: 'DISABLED' }, startMs);
  const text = `INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at,
    created_at, updated_at) VALUES ($1, $2, $3, 'PENDING', 0, $4, $5, $5)`;
  const values = [tenantId, id, eventId, new Date(leaseMs), new Date(startMs)];
  await database.query({ text }, values);
  return database;
}

async function dueAtMs(database: Database): Promise<number | null> {
  const text = 'SELECT due_at AS "dueAtMs" FROM deliveries';
  return (await database.query<{ dueAtMs: number | null }>({ text }))[0]!.dueAtMs;
}

const enable = (database: Database) =>
  updateEndpoint(database, { tenantId, id }, { status: 'ACTIVE' }, laterMs);

/** Runs both so that the second meets the first before its commit. */
async function overlapped(
  database: Database,
  first: (transaction: Database) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  let running: Promise<unknown> | undefined;
  await database.transaction(async (transaction) => {
    const same = {
      ...database,
      ...transaction,
      transaction: (run) => run(transaction),
    } as Database;
    await first(same);
    running = second();
    await eventually('the second waits for the first', async () => {
      const text = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query({ text })).length === 1;
    });
  });
  await running;
}

test('makes a delivery due at once if it begins to wait while its endpoint is being enabled', async (context) => {
  const database = await disabledEndpoint(context);
  let waits: boolean | undefined;
  await overlapped(database, enable, async () => {
    waits = await waitForEndpoint(database, delivery, laterMs);
  });
  assert.equal(waits, false);
  assert.equal(await dueAtMs(database), laterMs);
});

test('wakes a delivery that begins to wait while its endpoint is enabled', async (context) => {
  const database = await disabledEndpoint(context);
  const wait = (transaction: Database) => waitForEndpoint(transaction, delivery, startMs);
  await overlapped(database, wait, () => enable(database));
  assert.equal(await dueAtMs(database), laterMs);
});

test('makes a delivery wait only under its own lease, and only until its endpoint is enabled', async (context) => {
  const database = await disabledEndpoint(context);
  await waitForEndpoint(database, { ...delivery, dueAtMs: leaseMs - 1 }, startMs);
  assert.equal(await dueAtMs(database), leaseMs);
  assert.equal(await waitForEndpoint(database, delivery, startMs), true);
  assert.equal(await dueAtMs(database), null);
  await updateEndpoint(database, { tenantId, id }, { url: 'https://shop.cv/new' }, startMs);
  assert.equal(await dueAtMs(database), null);
  await enable(database);
  assert.equal(await dueAtMs(database), laterMs);
});

test('leaves deliveries alone that another worker holds, or that are finished', async (context) => {
  const database = await disabledEndpoint(context);
  await enable(database);
  assert.equal(await dueAtMs(database), leaseMs);
  await database.query({ text: `UPDATE deliveries SET status = 'SUCCEEDED', due_at = NULL` });
  await enable(database);
  assert.equal(await dueAtMs(database), null);
});
