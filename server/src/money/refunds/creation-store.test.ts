import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { bookMany } from '../../../test/support/many-payments.ts';
import { exampleRefund } from '../../../test/support/refund.ts';
import { addTenant } from '../../../test/support/refunding.ts';
import { eventOf } from '../../integrations/events/event.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { beginDays } from '../../tenants/merchants/daily-refund-limit.ts';
import { checkLedger } from '../ledger/check.ts';
import { insertRefunds, type NewRefund } from './creation-store.ts';
import type { Refund } from './refund.ts';
import { refundJson } from './view.ts';

const ids = randomIds();
const fromMs = Date.parse('2026-11-21T09:30:00.000Z');

interface Paid {
  tenantId: string;
  id: string;
  operatorTxId: string;
}

/** Debited payments of more than 10 CVE each, in the order of their ids. */
async function paid(database: Database, tenantId: string, count: number): Promise<Paid[]> {
  await bookMany(database, { tenantId, count, fromMs });
  const text = `SELECT tenant_id AS "tenantId", id, operator_tx_id AS "operatorTxId" FROM payments
    WHERE tenant_id = $1 ORDER BY id`;
  return database.query<Paid>({ text }, [tenantId]);
}

async function world(context: TestContext, count: number) {
  const { database } = await freshDatabase(context);
  const tenantId = await addTenant(database);
  return { database, tenantId, payments: await paid(database, tenantId, count) };
}

/** A refund of 400 of a payment without refunds. */
function rowOf(
  { tenantId, id: paymentId, operatorTxId }: Paid,
  change: Partial<Refund> = {},
): NewRefund {
  const own = { tenantId, id: ids.next(Date.now()), paymentId, operatorTxId, amountMinor: 400n };
  const refund = exampleRefund({ ...own, ...change });
  const json = refundJson(refund);
  const event = eventOf(ids, 'refund.created', refund, refund.createdAtMs, json);
  return { refund, json, event, seen: { status: 'DEBITED', takenMinor: 0n }, dayLimitMinor: null };
}

const insert = async (database: Database, rows: NewRefund[]) =>
  (await insertRefunds(database, rows, Date.now())).ids;

/** The indexes of the rows that were written; checks that nothing was written of the others. */
async function placesOf(database: Database, rows: NewRefund[], written: Set<string>) {
  const places = rows.flatMap(({ refund }, place) => (written.has(refund.id) ? place : []));
  const told = await database.query<{ id: string }>({
    text: `SELECT object_id AS id FROM events WHERE type = 'refund.created'`,
  });
  assert.deepEqual(new Set(told.map(({ id }) => id)), written);
  assert.deepEqual(await checkLedger(database), []);
  return places;
}

test('writes a refund only if its payment has not changed since it was read; the others go on', async (context) => {
  const { database, payments } = await world(context, 7);
  const change = async (set: string, { tenantId, id }: Paid) => {
    const text = `UPDATE payments SET ${set} WHERE tenant_id = $1 AND id = $2`;
    await database.query({ text }, [tenantId, id]);
  };
  const rows = payments.map((payment) => rowOf(payment));
  await insert(database, [rowOf(payments[1]!, { amountMinor: 1n })]);
  await change(`status = 'SETTLED'`, payments[2]!);
  rows[3]!.refund.operatorTxId = 'entered wrongly';
  rows[4]!.seen.takenMinor = 1n;
  rows[5]!.refund.externalId = 'before an erasure';
  const written = await insert(database, rows);
  const all = await database.query<{ id: string }>({ text: 'SELECT id FROM refunds' });
  assert.equal(all.length, 3);
  assert.deepEqual(
    rows.flatMap(({ refund: { id } }, place) => (written.has(id) ? place : [])),
    [0, 6],
  );
});

test('keeps payments with the same id of different tenants apart', async (context) => {
  const { database, payments } = await world(context, 1);
  const [theirs] = await paid(database, await addTenant(database), 1);
  const [ours] = payments;
  assert.equal(theirs!.id, ours!.id);
  const rows = [rowOf(ours!), rowOf(theirs!, { amountMinor: 300n })];
  assert.deepEqual(await placesOf(database, rows, await insert(database, rows)), [0, 1]);
  // Of ours, 400 are taken; of theirs, 300.
  const next = [rowOf(ours!), rowOf(theirs!)];
  for (const { seen } of next) seen.takenMinor = 400n;
  const written = await insert(database, next);
  assert.deepEqual(written, new Set([next[0]!.refund.id]));
});

test('writes the refunds of an API key if its daily limit has room for all of them', async (context) => {
  const { database, tenantId, payments } = await world(context, 5);
  const keys = Array.from({ length: 2 }, () => randomUUID());
  const row = (place: number, key: number, limitMinor: bigint) => ({
    ...rowOf(payments[place]!, { createdByKey: keys[key]! }),
    dayLimitMinor: limitMinor,
  });
  const rows = [
    row(0, 0, 799n),
    row(1, 0, 799n),
    row(2, 1, 800n),
    row(3, 1, 800n),
    rowOf(payments[4]!),
  ];
  await beginDays(
    database,
    rows.flatMap(({ refund }) => (refund.createdByKey === null ? [] : refund)),
  );
  const written = await insert(database, rows);
  assert.deepEqual(await placesOf(database, rows, written), [2, 3, 4]);
  const text = `SELECT key_id AS key, amount_minor AS "usedMinor", day::text FROM api_key_refund_days
    WHERE tenant_id = $1`;
  const used = await database.query({ text }, [tenantId]);
  const day = '2026-11-21';
  const expected = [
    { key: keys[0], usedMinor: 0n, day },
    { key: keys[1], usedMinor: 800n, day },
  ];
  assert.deepEqual(new Set(used), new Set(expected));
});

test('writes and counts one of two refunds with the same idempotency key', async (context) => {
  const { database, payments } = await world(context, 2);
  const createdByKey = randomUUID();
  const rows = payments.map((payment) => ({
    ...rowOf(payment, { idempotencyKey: 'one', createdByKey }),
    dayLimitMinor: 800n,
  }));
  await beginDays(database, [rows[0]!.refund]);
  const written = await insert(database, rows);
  assert.equal((await placesOf(database, rows, written)).length, 1);
  const text = 'SELECT amount_minor AS "usedMinor" FROM api_key_refund_days';
  assert.deepEqual(await database.query({ text }), [{ usedMinor: 400n }]);
});

for (const plan of ['enable_nestloop', 'enable_hashjoin']) {
  test(`locks payments of new refunds in the order of their ids, planned without ${plan}`, async (context) => {
    const { database, tenantId, payments } = await world(context, 20);
    // In the opposite order, and with idempotency keys that are in no order.
    const rows = payments
      .map((payment) => rowOf(payment, { idempotencyKey: randomUUID() }))
      .toReversed();
    const free = `SELECT id FROM payments WHERE tenant_id = $1 FOR UPDATE SKIP LOCKED`;
    let batch: Promise<Set<string>> | undefined;
    await database.transaction(async (transaction) => {
      const first = `SELECT id FROM payments WHERE tenant_id = $1 ORDER BY id LIMIT 1 FOR UPDATE`;
      await transaction.query({ text: first }, [tenantId]);
      batch = database.transaction(async (other) => {
        await other.query({ text: `SET LOCAL ${plan} = off` });
        return (await insertRefunds(other, rows, Date.now())).ids;
      });
      await eventually('the batch waits for the first', async () => {
        const text = `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await database.query({ text })).length === 1;
      });
      const others = await database.query({ text: free }, [tenantId]);
      assert.equal(others.length, payments.length - 1);
    });
    assert.equal((await batch)!.size, payments.length);
  });
}

test('holds no idempotency key while it waits for a payment', async (context) => {
  const { database, payments } = await world(context, 4);
  const rows = payments
    .slice(0, 3)
    .map((payment, place) => rowOf(payment, { idempotencyKey: `${place}` }));
  let batch: Promise<Set<string>> | undefined;
  await database.transaction(async (transaction) => {
    const { tenantId, id } = payments[2]!;
    const last = 'SELECT id FROM payments WHERE tenant_id = $1 AND id = $2 FOR UPDATE';
    await transaction.query({ text: last }, [tenantId, id]);
    batch = insert(database, rows);
    await eventually('the batch waits for the last', async () => {
      const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.query({ text })).length === 1;
    });
    const other = rowOf(payments[3]!, { idempotencyKey: '0' });
    assert.equal((await insert(database, [other])).size, 1);
  });
  const written = await batch!;
  assert.deepEqual(
    rows.map(({ refund }) => written.has(refund.id)),
    [false, true, true],
  );
});
