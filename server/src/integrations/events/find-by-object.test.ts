import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { timestamp } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { findEventsOfObject } from './find-by-object.ts';

const ids = randomIds();
const { createdAtMs, tenantId } = examplePayment();
const id = ids.next(createdAtMs);
const debitedAtMs = createdAtMs + 3_600_000;
const paidOutAtMs = createdAtMs + 86_400_000;
const refundedAtMs = createdAtMs + 2 * 86_400_000;

async function insertEvent(database: Database, atMs: number, tenant = tenantId, object = id) {
  const eventId = ids.next(atMs);
  const text = `INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
    VALUES ($1, $2, 'payment.debited', $3, 1, '{}', $4)`;
  await database.query({ text }, [tenant, eventId, object, timestamp(atMs)]);
  return eventId;
}

/** Events of other objects, ten in each millisecond. */
const others = `
INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
SELECT $1, (lpad(to_hex($2::bigint + n / 10), 12, '0') || '7000' || lpad(to_hex(n), 16, '8'))::uuid,
  'payment.created', gen_random_uuid(), 1, '{}', now()
FROM generate_series(1, $3::integer) AS n`;

/** A payment that was debited, paid out and refunded, which left the time of the refund in its row. */
async function world(database: Database) {
  const payment = `INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
    operator_phone, ask_count, expires_at, created_at, updated_at)
    VALUES ($1, $2, 5, 'REFUNDED', 100, 0, 'CVE', 'MOCK', '+2389912345', 0, $3, $3, $4)`;
  const times = [timestamp(createdAtMs), timestamp(refundedAtMs)];
  await database.query({ text: payment }, [tenantId, id, ...times]);
  const settlementId = randomUUID();
  const statements: [string, unknown[]][] = [
    [
      `INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, amount_minor, currency, period, created_at)
       VALUES ($1, $2, 'debit_net', 'operator:MOCK', 'payable', 100, 'CVE', 1, $3)`,
      [tenantId, id, timestamp(debitedAtMs)],
    ],
    [
      `INSERT INTO settlements (tenant_id, id, merchant_id, version, status, currency, gross_minor, fee_minor, refund_minor,
         net_minor, item_count, period_start, period_end, created_at, completed_at)
       VALUES ($1, $2, $1, 3, 'COMPLETED', 'CVE', 100, 0, 0, 100, 1, $3, $3, $3, $3)`,
      [tenantId, settlementId, timestamp(paidOutAtMs)],
    ],
    [
      `INSERT INTO settlement_periods (tenant_id, currency, period, settlement_id, started_at)
       VALUES ($1, 'CVE', 1, $2, now())`,
      [tenantId, settlementId],
    ],
  ];
  for (const [text, values] of statements) await database.query({ text }, values);
  const found = [];
  for (const atMs of [createdAtMs, debitedAtMs, paidOutAtMs + 1_234, refundedAtMs])
    found.push(await insertEvent(database, atMs));
  return found;
}

const find = async (database: Database, tenant = tenantId) =>
  (await findEventsOfObject(database, tenant, { prefix: 'pi', id })).sort();

test('finds the events of an object among many of others, by the instants that its rows know', async (context) => {
  const { database } = await freshDatabase(context);
  const expected = await world(database);
  for (const [fromMs, count] of [
    [createdAtMs, 5_000],
    [debitedAtMs, 200],
    [paidOutAtMs + 2_000, 5_000],
    [refundedAtMs, 200],
  ]) {
    await database.query({ text: others }, [tenantId, fromMs, count]);
  }
  assert.deepEqual(await find(database), expected);
});

test('finds an event at an instant that no row knows, if few events follow the creation of the object', async (context) => {
  const { database } = await freshDatabase(context);
  const expected = await world(database);
  const late = await insertEvent(database, createdAtMs + 30 * 86_400_000);
  await database.query({ text: others }, [tenantId, createdAtMs, 2_400]);
  assert.deepEqual(await find(database), [...expected, late]);
  await database.query({ text: others }, [tenantId, createdAtMs + 1_000, 200]);
  assert.deepEqual(await find(database), expected);
});

test('finds no events of another tenant', async (context) => {
  const { database } = await freshDatabase(context);
  await world(database);
  assert.deepEqual(await find(database, randomUUID()), []);
});
