import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import { newEvent } from '../../integrations/events/event.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { debitPostings } from '../ledger/postings.ts';
import { claimDuePayments, reschedulePayments } from './lease-store.ts';
import type { Payment } from './payment.ts';
import { findEarlierPayments, findPayment, insertPayments } from './store.ts';
import { type Transition, transitionPayments } from './transition-store.ts';
import { paymentJson } from './view.ts';

const ids = randomIds();
const nowMs = Date.parse('2026-11-21T09:30:00.123Z');

function somePayment(change: Partial<Payment> = {}): Payment {
  return {
    tenantId: randomUUID(),
    id: ids.next(nowMs),
    version: 1,
    status: 'CREATED',
    amountMinor: 10_000n,
    feeMinor: 200n,
    currency: 'CVE',
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    operatorTxId: null,
    failureCode: null,
    failureMessage: null,
    externalId: null,
    customerId: null,
    description: 'Café "à moda" \\ {da casa}, NULL',
    statementDescriptor: null,
    metadata: '{"a":[1,"é{}\\"",null]}',
    checkoutSessionId: null,
    idempotencyKey: null,
    requestHash: null,
    rendering: 2,
    queryCount: 0,
    dueAtMs: nowMs,
    sentAtMs: null,
    byHand: false,
    mismatched: false,
    createdByKey: null,
    expiresAtMs: nowMs + 300_000,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...change,
  };
}

function createdEvent(payment: Payment) {
  const base = { tenantId: payment.tenantId, id: ids.next(nowMs), objectId: payment.id };
  return newEvent(
    { ...base, type: 'payment.created', sequence: 1, createdAtMs: nowMs },
    paymentJson(payment),
  );
}

async function insert(database: Queryable, ...payments: Payment[]): Promise<Set<string>> {
  await addTenants(database, ...payments.map(({ tenantId }) => tenantId));
  const rows = payments.map((payment) => ({ payment, event: createdEvent(payment) }));
  return (await insertPayments(database, rows, nowMs)).ids;
}

/** From CREATED through OPERATOR_PENDING to DEBITED, as the store writes the second step. */
/** Based on the payment as sent; the version decides. */
function debit(seen: Payment): Transition {
  const next: Payment = { ...seen, version: seen.version + 1, status: 'DEBITED', dueAtMs: null };
  return {
    seen: { ...seen, status: 'OPERATOR_PENDING' },
    next,
    postings: debitPostings(next, nowMs),
  };
}

async function countOf(database: Queryable, table: string): Promise<number> {
  const text = `SELECT count(*)::integer AS count FROM ${table}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}

test('stores and returns a payment unchanged', async (context) => {
  const { database } = await testDatabase(context);
  const payment = somePayment({
    externalId: 'encomenda 1',
    idempotencyKey: 'key-1',
    requestHash: Buffer.from('00ff', 'hex'),
  });
  await insert(database, payment);
  assert.deepEqual(await findPayment(database, payment.tenantId, payment.id), payment);
  assert.equal(await findPayment(database, randomUUID(), payment.id), undefined);
});

test('writes one of two payments with the same idempotency key, and returns it for both', async (context) => {
  const { database } = await testDatabase(context);
  const tenantId = randomUUID();
  const first = somePayment({ tenantId, idempotencyKey: 'same' });
  const second = somePayment({ tenantId, idempotencyKey: 'same' });
  const elsewhere = somePayment({ idempotencyKey: 'same' });
  const written = await insert(database, first, second, elsewhere);
  assert.deepEqual(written, new Set([first.id, elsewhere.id]));
  const [found, ...others] = await findEarlierPayments(database, [second]);
  assert.equal(found?.id, first.id);
  assert.equal(others.length, 0);
  assert.equal(await countOf(database, 'events'), 2, 'a payment that was not written has no event');
});

test('applies a transition once, with its postings and balances', async (context) => {
  const { database } = await testDatabase(context);
  const payment = somePayment();
  await insert(database, payment);
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => transitionPayments(database, [debit(payment)], nowMs)),
  );
  assert.equal(outcomes.filter(({ ids: moved }) => moved.has(payment.id)).length, 1);
  assert.equal(await countOf(database, 'postings'), 2);
  const text = 'SELECT account, balance_minor AS balance FROM balances ORDER BY account';
  assert.deepEqual(await database.query({ text }), [
    { account: 'fees', balance: 200n },
    { account: 'operator:MOCK', balance: -10_000n },
    { account: 'payable', balance: 9_800n },
  ]);
});

test('sums the balances of one batch', async (context) => {
  const { database } = await testDatabase(context);
  const tenantId = randomUUID();
  const payments = Array.from({ length: 50 }, () => somePayment({ tenantId }));
  await insert(database, ...payments);
  await transitionPayments(database, payments.map(debit), nowMs);
  const text = `SELECT balance_minor AS balance FROM balances WHERE account = 'payable'`;
  assert.deepEqual(await database.query({ text }), [{ balance: 490_000n }]);
});

test('writes nothing under a lost lease', async (context) => {
  const { database } = await testDatabase(context);
  const payment = somePayment();
  await insert(database, payment);
  const [mine] = await claimDuePayments(database, nowMs, nowMs + 1_000, 10);
  const [theirs] = await claimDuePayments(database, nowMs + 1_000, nowMs + 9_000, 10);
  assert.equal(theirs?.dueAtMs, nowMs + 9_000);
  const late = { ...debit(mine!), leaseMs: mine!.dueAtMs! };
  assert.equal((await transitionPayments(database, [late], nowMs)).ids.size, 0);
  await reschedulePayments(database, [{ payment: mine!, leaseMs: mine!.dueAtMs!, dueAtMs: null }]);
  assert.equal((await findPayment(database, payment.tenantId, payment.id))?.dueAtMs, nowMs + 9_000);
});

test('shares due payments between workers that claim at once', async (context) => {
  const { database } = await testDatabase(context);
  const payments = Array.from({ length: 60 }, () => somePayment());
  const notDue = somePayment({ dueAtMs: nowMs + 1 });
  await insert(database, ...payments, notDue);
  const claims = await Promise.all(
    Array.from({ length: 6 }, () => claimDuePayments(database, nowMs, nowMs + 1_000, 20)),
  );
  const claimed = claims.flat().map((payment) => payment.id);
  assert.equal(new Set(claimed).size, claimed.length, 'none was taken twice');
  assert.deepEqual(new Set(claimed), new Set(payments.map((payment) => payment.id)));
});

test('forbids changing and deleting postings', async (context) => {
  const { database } = await testDatabase(context);
  const payment = somePayment();
  await insert(database, payment);
  await transitionPayments(database, [debit(payment)], nowMs);
  const change = { text: 'UPDATE postings SET amount_minor = 1' };
  await assert.rejects(database.query(change), /permission denied/);
  await assert.rejects(database.query({ text: 'DELETE FROM postings' }), /permission denied/);
});
