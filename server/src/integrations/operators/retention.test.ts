import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { anotherGateway, eventually } from '../../../test/support/gateway.ts';
import { Retention } from '../../platform/jobs/retention.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import { derivedUuid, randomIds } from '../../platform/values/ids.ts';
import { createMerchant } from '../../tenants/merchants/create-merchant.ts';
import { oldOperatorRows, statements } from './retention-store.ts';

const dayMs = 86_400_000;

interface Heard {
  kind?: 'DEBIT' | 'REFUND' | 'REVERSAL';
  contradicts?: boolean;
  isDue?: boolean;
}

/** Inserts rows that are this many days old. */
function rowsOf(database: Database, nowMs: number) {
  const ids = randomIds();
  const at = (daysAgo: number) => timestamp(nowMs - daysAgo * dayMs);
  const insert = (text: string, values: unknown[]) => database.query({ text }, values);
  /** One request and one callback about a reference. */
  const heard = async (tenantId: string, reference: string, daysAgo: number, given: Heard = {}) => {
    const { kind = 'DEBIT', contradicts = false, isDue = false } = given;
    const request = `
      INSERT INTO operator_requests (tenant_id, reference, operator, request_id, created_at)
      VALUES ($1, $2, 'CVMOVEL', 'R', $3)`;
    await insert(request, [tenantId, reference, at(daysAgo)]);
    await callback(tenantId, reference, daysAgo, { kind, contradicts, isDue });
  };
  const callback = (tenantId: string, reference: string, daysAgo: number, given: Heard) => {
    const text = `
      INSERT INTO operator_callbacks (tenant_id, operator, reference, outcome, kind, body, contradicts, due_at, received_at)
      VALUES ($1, 'CVMOVEL', $2, $3, $4, '{}', $5, $6, $7)`;
    const { kind, contradicts = false, isDue } = given;
    const outcome = `${daysAgo} ${contradicts}`;
    const values = [kind ?? 'DEBIT', contradicts, isDue ? at(0) : null, at(daysAgo)];
    return insert(text, [tenantId, reference, outcome, ...values]);
  };
  const payment = async (
    tenantId: string,
    daysAgo: number,
    { status = 'DEBITED', isDue = false, changedDaysAgo = daysAgo } = {},
  ) => {
    const id = ids.next(nowMs - daysAgo * dayMs);
    const text = `
      INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
        operator_phone, ask_count, due_at, expires_at, created_at, updated_at)
      VALUES ($1, $2, 1, $3, 100, 2, 'CVE', 'CVMOVEL', '+2389910345', 0, $4, $5, $5, $6)`;
    await insert(text, [
      tenantId,
      id,
      status,
      isDue ? at(0) : null,
      at(daysAgo),
      at(changedDaysAgo),
    ]);
    return id;
  };
  const refund = async (tenantId: string, daysAgo: number, status: string, isDue = false) => {
    const id = ids.next(nowMs - daysAgo * dayMs);
    const text = `
      INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      VALUES ($1, $2, $2, 1, $3, 100, 'CVE', 'CVMOVEL', 'TX', 0, $4, $5, $5)`;
    await insert(text, [tenantId, id, status, isDue ? at(0) : null, at(daysAgo)]);
    return id;
  };
  const reversal = async (tenantId: string, paymentId: string, daysAgo: number, status: string) => {
    const id = derivedUuid(paymentId, 'TX');
    const text = `
      INSERT INTO reversals (tenant_id, id, payment_id, reason, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, created_at, updated_at)
      VALUES ($1, $2, $3, 'LATE_DEBIT', $4, 100, 'CVE', 'CVMOVEL', 'TX', 0, $5, $5)`;
    await insert(text, [tenantId, id, paymentId, status, at(daysAgo)]);
    return id;
  };
  return { heard, callback, payment, refund, reversal };
}

/** Two tenants, and a helper that inserts payments with their operator's records. */
async function world(context: TestContext, nowMs = Date.parse('2026-11-21T09:30:00.000Z')) {
  const { url, database } = await freshDatabase(context);
  const clock = { nowMs: () => nowMs };
  await createMerchant({ database, clock, ids: randomIds() }, 'Loja');
  const tenants = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants' });
  const removed: Record<string, number> = { operator_requests: 0, operator_callbacks: 0 };
  const retention = new Retention({
    database,
    clock,
    log: silentLog,
    retentionMs: 30 * dayMs,
    oldRows: [oldOperatorRows],
    batchSize: 3,
    onRemoved: (kind, count) => {
      removed[kind] = (removed[kind] ?? 0) + count;
    },
  });
  const left = async (table: 'operator_requests' | 'operator_callbacks') => {
    const text = `SELECT reference FROM ${table} ORDER BY reference`;
    return (await database.query<{ reference: string }>({ text })).map((row) => row.reference);
  };
  const [one, two] = tenants.map(({ id }) => id) as [string, string];
  return { url, database, one, two, retention, removed, left, ...rowsOf(database, nowMs) };
}

test("removes the operator's records of objects closed long ago, for every tenant", async (context) => {
  const { one, two, heard, payment, refund, reversal, retention, left, removed } =
    await world(context);
  const kept: string[] = [];
  for (const tenant of [one, two]) {
    for (const status of ['DEBITED', 'FAILED', 'EXPIRED', 'CANCELLED', 'SETTLED', 'REFUNDED']) {
      await heard(tenant, await payment(tenant, 31, { status }), 31);
    }
    for (const status of ['SUCCEEDED', 'FAILED']) {
      await heard(tenant, await refund(tenant, 31, status), 31, { kind: 'REFUND' });
    }
    const late = await payment(tenant, 32, { status: 'EXPIRED' });
    await heard(tenant, late, 32);
    const back = await reversal(tenant, late, 31, 'SUCCEEDED');
    await heard(tenant, back, 31, { kind: 'REVERSAL' });
    for (const daysAgo of [29, 0]) {
      const young = await payment(tenant, daysAgo);
      await heard(tenant, young, daysAgo);
      kept.push(young);
    }
  }
  await retention.sweep();
  assert.deepEqual(await left('operator_requests'), kept.toSorted());
  assert.deepEqual(await left('operator_callbacks'), kept.toSorted());
  assert.deepEqual(removed, { operator_requests: 20, operator_callbacks: 20 });
});

test('keeps records that are still needed, however old, until they are not', async (context) => {
  const { database, one, heard, payment, refund, reversal, retention, left } = await world(context);
  const open = [
    // The outcome is unknown: the first is still being queried, and in review.
    await payment(one, 90, { status: 'EXPIRED', isDue: true }),
    await payment(one, 90, { status: 'CANCELLED', isDue: true }),
    await payment(one, 90, { changedDaysAgo: 1 }),
  ];
  const refunding = await refund(one, 90, 'PROCESSING', true);
  const late = await payment(one, 90, { status: 'EXPIRED' });
  const refused = await reversal(one, late, 90, 'FAILED');
  for (const id of [...open, late]) await heard(one, id, 90);
  await heard(one, refunding, 90, { kind: 'REFUND' });
  await heard(one, refused, 90, { kind: 'REVERSAL' });
  const kept = [...open, refunding, late, refused].toSorted();
  await retention.sweep();
  assert.deepEqual(await left('operator_requests'), kept);
  assert.deepEqual(await left('operator_callbacks'), kept);

  const long = `updated_at = created_at, due_at = NULL`;
  await database.query({ text: `UPDATE payments SET ${long}` });
  await database.query({ text: `UPDATE refunds SET status = 'SUCCEEDED', ${long}` });
  await database.query({ text: `UPDATE reversals SET status = 'SUCCEEDED', ${long}` });
  await retention.sweep();
  assert.deepEqual(await left('operator_requests'), []);
  assert.deepEqual(await left('operator_callbacks'), []);
});

test('keeps a callback that a person must look at, that is not handled yet, or that has just come', async (context) => {
  const { database, one, callback, payment, retention, left } = await world(context);
  const [contradicting, waiting, fresh] = [
    await payment(one, 90),
    await payment(one, 90),
    await payment(one, 90),
  ];
  await database.query(
    {
      text: `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
        VALUES ($1, gen_random_uuid(), 'CONTRADICTION', 'PAYMENT', $2, 'CVMOVEL', '{}', now())`,
    },
    [one, contradicting],
  );
  await callback(one, contradicting, 90, { contradicts: true });
  await callback(one, contradicting, 90, {});
  await callback(one, waiting, 90, { isDue: true });
  await callback(one, fresh, 1, {});
  const unknown = '01900000-0000-7000-8000-000000000000';
  await callback(one, unknown, 90, { contradicts: true });
  await retention.sweep();
  const kept = [contradicting, contradicting, waiting, fresh, unknown];
  assert.deepEqual(await left('operator_callbacks'), kept.toSorted());
  const closing = `UPDATE review_items SET closed_at = now(), closed_by = 'somebody'`;
  await database.query({ text: closing });
  await retention.sweep();
  assert.deepEqual(await left('operator_callbacks'), [waiting, fresh, unknown].toSorted());
});

test('walks primary keys, for any number of rows', async (context) => {
  const { database, one } = await world(context);
  const reference = `(lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid`;
  const numbers = 'FROM generate_series(1, 20000) n';
  for (const text of [
    `INSERT INTO operator_requests SELECT '${one}', ${reference}, 'CVMOVEL', 'R', NULL, now() ${numbers}`,
    `INSERT INTO operator_callbacks SELECT '${one}', 'CVMOVEL', ${reference}, '', 'DEBIT', '{}', false, NULL, now() ${numbers}`,
    'ANALYZE operator_requests, operator_callbacks',
  ]) {
    await database.query({ text });
  }
  const [first, last] = ['00000000', '00000001'].map(
    (part) => `'${part}-0000-0000-0000-000000000000'`,
  );
  const operators = `'{CVMOVEL,UNITEL_TMAIS,MOCK}'`;
  const given: Record<string, string> = {
    tenants: `${last}, ${operators}`,
    next: `'${one}', ${first}, ${last}, 500, ${operators}`,
    remove: `'${one}', ${first}, ${last}, now(), ${operators}`,
  };
  for (const { name, text } of statements) {
    const rows = await database.transaction(async (transaction) => {
      await transaction.query({ text: `PREPARE statement AS ${text}` });
      const explain = `EXPLAIN EXECUTE statement(${given[name.split('.')[1]!]})`;
      const plan = await transaction.query<{ 'QUERY PLAN': string }>({ text: explain });
      await transaction.query({ text: 'DEALLOCATE statement' });
      return plan;
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(plan, /Seq Scan on operator_/, `${name}:\n${plan}`);
    assert.match(plan, /operator_requests_pkey/, `${name}:\n${plan}`);
    assert.match(plan, /operator_callbacks_pkey/, `${name}:\n${plan}`);
  }
});

test('removes and counts them in a running gateway', async (context) => {
  const { url, one, heard, payment, left } = await world(context, Date.now());
  await heard(one, await payment(one, 40), 40);
  const gateway = await anotherGateway(context, url);
  await eventually('they are removed', async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    return ['operator_requests', 'operator_callbacks'].every((kind) =>
      metrics.includes(`zimbo_retention_removed_rows_total{kind="${kind}"} 1\n`),
    );
  });
  assert.deepEqual(await left('operator_requests'), []);
  assert.deepEqual(await left('operator_callbacks'), []);
});
