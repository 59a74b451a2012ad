import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { insertChunks } from '../../src/integrations/api-requests/store.ts';
import { keepAcknowledgement } from '../../src/integrations/operators/gsma/store.ts';
import { insertTransactions } from '../../src/integrations/operators/simulator/store.ts';
import { insertCallback } from '../../src/money/callbacks/store.ts';
import { returnPosting } from '../../src/money/ledger/postings.ts';
import { insertPayments } from '../../src/money/payments/store.ts';
import { takePrompts } from '../../src/money/phones/store.ts';
import type { Reversal } from '../../src/money/reversals/reversal.ts';
import { insertReversal } from '../../src/money/reversals/store.ts';
import { insertReviewItem } from '../../src/money/review/store.ts';
import { addErasing } from '../../src/operations/privacy/erasures-store.ts';
import { writeNotices } from '../../src/platform/notices/write.ts';
import type { Database, Queryable } from '../../src/platform/postgres/database.ts';
import { isMoving } from '../../src/platform/postgres/transient-errors.ts';
import { movingTables } from '../../src/tenants/cells/tables.ts';
import { testDatabase } from '../support/database.ts';
import { apiOf, testGateway, testKey } from '../support/gateway.ts';
import { examplePayment } from '../support/payment.ts';
import { addTenants } from '../support/tenants.ts';

const nowMs = Date.parse('2026-11-24T09:30:00Z');

/** All rows of tenants that the cell does not have, by table. */
async function strayRows(database: Queryable): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name, owner } of movingTables.filter(({ owner: { of } }) => of === 'TENANT')) {
    const text = `SELECT count(*)::integer AS count FROM ${name} t
      WHERE t.${owner.column} IS NOT NULL AND NOT EXISTS (SELECT FROM tenants WHERE id = t.${owner.column})`;
    const [row] = await database.query<{ count: number }>({ text });
    if (row!.count > 0) found[name] = row!.count;
  }
  return found;
}

/** What the end of a move leaves of a merchant who had nothing but a key; in one statement, as keys are remembered shortly. */
async function forget(database: Database, key: string): Promise<void> {
  const text = `
WITH merchant AS (SELECT t.merchant_id AS id FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.last4 = $1),
keys AS (DELETE FROM api_keys WHERE tenant_id IN (
  SELECT id FROM tenants WHERE merchant_id IN (SELECT id FROM merchant))),
left_tenants AS (DELETE FROM tenants WHERE merchant_id IN (SELECT id FROM merchant))
DELETE FROM merchants WHERE id IN (SELECT id FROM merchant)`;
  await database.query({ text }, [key.slice(-4)]);
}

const phone = { operator: 'MOCK', operatorPhone: '+2389912345' };
const creations: Record<string, object> = {
  '/v1/payments': { amount: 10_000, ...phone },
  '/v1/products': { name: 'Café', price: 5_000 },
  '/v1/payment-links': { amount: 5_000, description: 'Quota' },
  '/v1/checkout/sessions': { amount: 10_000 },
  '/v1/webhooks': { url: 'https://shop.cv/webhooks', events: ['payment.debited'] },
};

test('a process that still knows the key of a merchant who has left makes nothing of it', async (context) => {
  const { url, database, key: staying } = await testGateway(context);
  const ask = async (key: string, path: string, body: object) => {
    const { status, body: answer, headers } = await apiOf(url, key)('POST', path, body);
    return `${key === staying ? 'stays' : 'left'} ${path} ${status} ${answer?.error?.code} ${headers.get('retry-after')}`;
  };
  const creationsOf = (key: string) =>
    Object.entries(creations).map(([path, body]) => ask(key, path, body));
  let answers: string[];
  do {
    const leaving = await testKey(database);
    assert.equal((await apiOf(url, leaving)('GET', '/v1/payments')).status, 200);
    await forget(database, leaving);
    // Of one batch some are refused, and some are not.
    answers = await Promise.all([...creationsOf(leaving), ...creationsOf(staying)]);
    // On a busy machine the key may be forgotten before it is used.
  } while (answers.some((answer) => answer.includes(' 401 ')));
  assert.deepEqual(answers, [
    ...Object.keys(creations).map((path) => `left ${path} 500 UNAVAILABLE 1`),
    ...Object.keys(creations).map((path) => `stays ${path} 200 undefined null`),
  ]);
  assert.deepEqual(await strayRows(database), {});
});

for (const state of ['GONE', 'ARRIVING']) {
  test(`while its merchant is ${state} a key is neither unknown nor taken for one that has nothing`, async (context) => {
    const { url, database } = await testGateway(context);
    const key = await testKey(database);
    const text = `INSERT INTO moving_merchants (merchant_id, move_id, state)
      SELECT t.merchant_id, $1, $2 FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.last4 = $3`;
    await database.query({ text }, [randomUUID(), state, key.slice(-4)]);
    const get = () => apiOf(url, key)('GET', '/v1/payments/pi_00000000000000000000000000');
    const { status, body, headers } = await get();
    assert.deepEqual(
      [status, body.error.code, headers.get('retry-after')],
      [500, 'UNAVAILABLE', '1'],
    );
    await database.query({ text: 'DELETE FROM moving_merchants' });
    assert.equal((await get()).status, 404);
  });
}

const reference = randomUUID();
const event = { id: randomUUID(), type: 'payment.created', objectId: reference, sequence: 1 };

function wrongDebit(tenantId: string): Reversal {
  return {
    ...examplePayment({ tenantId }),
    paymentId: reference,
    reason: 'UNKNOWN_REFERENCE',
    status: 'HELD',
    operatorTxId: 'OP-1',
    operatorReversalId: null,
    dueAtMs: null,
    failureCode: null,
  };
}

/** Writes of what needs no other row of its tenant, as processes make them that know no better. */
const writes: Record<string, (database: Database, tenantId: string) => Promise<unknown>> = {
  payments: (database, tenantId) => {
    const payment = examplePayment({ tenantId, id: reference });
    const row = { payment, event: { ...event, tenantId, body: '{}', createdAtMs: nowMs } as never };
    return insertPayments(database, [row], nowMs);
  },
  reversals: (database, tenantId) => {
    const reversal = wrongDebit(tenantId);
    const posting = returnPosting(reversal, 'suspense_in', nowMs);
    return insertReversal(database, reversal, posting, '004212345');
  },
  operator_callbacks: (database, tenantId) => {
    const about = {
      tenantId,
      reference,
      id: reference,
      operator: 'CVMOVEL',
      kind: 'DEBIT',
    } as const;
    const told = { outcome: 'DEBIT x', body: '{}', lookCount: 0, authenticated: true };
    return insertCallback(database, { ...about, ...told, dueAtMs: nowMs, createdAtMs: nowMs });
  },
  review_items: (database, tenantId) => {
    const about = { tenantId, id: randomUUID(), kind: 'CLASH', subjectKind: 'PAYMENT' } as const;
    const closed = { closedAtMs: null, closedBy: null, reason: null };
    const subject = { subjectId: reference, operator: 'CVMOVEL', detail: {} } as const;
    return insertReviewItem(database, { ...about, ...subject, ...closed, createdAtMs: nowMs });
  },
  operator_requests: (database, tenantId) =>
    keepAcknowledgement(database, {
      tenantId,
      reference,
      operator: 'CVMOVEL',
      requestId: 'x',
      pollsLeft: null,
      nowMs,
    }),
  simulator_transactions: (database, tenantId) =>
    insertTransactions(database, [
      {
        ...examplePayment({ tenantId }),
        reference,
        kind: 'DEBIT',
        phone: '+2389912345',
        status: 'PENDING',
        failureCode: null,
        operatorTxId: 'SIM1',
        reversedTxId: null,
        decideAtMs: nowMs,
      } as never,
    ]),
  phone_prompts: (database, tenantId) =>
    takePrompts(
      database,
      [{ tenantId, paymentId: reference, phoneDigest: Buffer.from('d') }],
      nowMs,
      { ofMerchant: 5, inAll: 5, pausesMs: [0] },
    ),
};

/** The same, of what is written for many tenants at once. */
const leftUndone: typeof writes = {
  api_request_chunks: (database, tenantId) => {
    const chunk = { tenantId, id: randomUUID(), failed: false, requests: 1, dropped: 0 };
    const times = { firstAtMs: nowMs, lastAtMs: nowMs, entries: Buffer.from('x') };
    return insertChunks(database, [{ ...chunk, ...times }]);
  },
  erasing_payments: (database, tenantId) => {
    const payments = [{ tenantId, paymentId: reference, dueAtMs: nowMs }];
    return addErasing(database, { payments, erasureId: null });
  },
  notices: (database, tenantId) => {
    const about = { kind: 'ENDPOINT_DISABLED', tenantId, subject: reference } as const;
    return writeNotices(database, [{ ...about, detail: {}, atMs: nowMs } as never]);
  },
};

const countOf = async (database: Database, table: string) => {
  const text = `SELECT count(*)::integer AS count FROM ${table}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
};

const begin = async (context: TestContext) => (await testDatabase(context)).database;

for (const [table, write] of Object.entries(writes)) {
  test(`${table}: what is of a merchant that the cell has is written, of one that has left it is refused`, async (context) => {
    const database = await begin(context);
    const [here, left] = [randomUUID(), randomUUID()];
    await addTenants(database, here);
    await assert.rejects(write(database, left), (error: Error) => {
      assert.ok(isMoving(error), String(error));
      // PostgreSQL would have told the row, with the customer's phone, to its log as well.
      assert.equal((error as Error & { detail?: string }).detail, undefined);
      return true;
    });
    await write(database, here);
    assert.equal(await countOf(database, table), 1);
    assert.deepEqual(await strayRows(database), {});
  });
}

for (const [table, write] of Object.entries(leftUndone)) {
  test(`${table}: what is of a merchant that has left is left out`, async (context) => {
    const database = await begin(context);
    const [here, left] = [randomUUID(), randomUUID()];
    await addTenants(database, here);
    await write(database, left);
    assert.equal(await countOf(database, table), 0);
    await write(database, here);
    assert.equal(await countOf(database, table), 1);
  });
}

test('what concerns no tenant is told of as before', async (context) => {
  const database = await begin(context);
  const alert = { kind: 'ALERT', tenantId: null, subject: 'x', detail: {}, atMs: nowMs } as never;
  await writeNotices(database, [alert]);
  assert.equal(await countOf(database, 'notices'), 1);
});
