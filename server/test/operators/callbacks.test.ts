import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  type CallbackAddress,
  callbackKinds,
  createCallbackTokens,
} from '../../src/integrations/operators/callback-token.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { anotherGateway, eventually } from '../support/gateway.ts';
import { type LiveGateway, liveGateway, operatorEnvironment } from './gateway.ts';
import { failure } from './provider.ts';

const body = { amount: 1_520, operator: 'CVMOVEL', operatorPhone: '+2389910109' };

const inbox = (database: Database) =>
  database.query<{ contradicts: boolean; due: boolean }>({
    text: 'SELECT contradicts, due_at IS NOT NULL AS due FROM operator_callbacks ORDER BY received_at',
  });

const transactionOf = (transactionReference: string) => ({
  transactionReference,
  transactionStatus: 'completed',
  amount: '15.2',
  currency: 'CVE',
});

/** The open review items. */
const review = (database: Database) =>
  database.query<{ kind: string; subject: string; about: string }>({
    text: `SELECT kind, subject_kind AS subject, detail->>'by' AS about FROM review_items ORDER BY created_at`,
  });

/** Queries follow each other quickly, so that no test waits for them. */
const timing = { hintBackoffMs: [20, 20, 20], firstBackoffMs: 60_000 };

/** A payment whose customer does not answer until the test settles it at the provider. */
async function silentPayment({ live, provider }: LiveGateway) {
  const { body: created } = await live('POST', '/v1/payments', body);
  const [reference, entry] = await eventually('the request', () => [...provider.entries][0]);
  const callbackUrl = entry.callbackUrl!;
  const status = async () => (await live('GET', `/v1/payments/${created.id}`)).body.status;
  const transaction = { ...entry.transaction, transactionStatus: 'COMPLETED' };
  return { id: created.id, reference, entry, callbackUrl, status, transaction };
}

test('rejects an unrequested callback without a trace', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, database } = gateway;
  const put = (url: string, sent: unknown) => provider.callBack(url, sent);
  const last = callbackUrl.slice(-2);
  assert.equal(
    await put(callbackUrl.slice(0, -2) + (last === 'AA' ? 'BA' : 'AA'), transaction),
    401,
  );
  assert.equal(await put(callbackUrl.replace('/CVMOVEL/', '/UNITEL_TMAIS/'), transaction), 401);
  assert.equal(await put(`${callbackUrl.slice(0, -66)}short`, transaction), 401);
  assert.equal(await put(`${callbackUrl.slice(0, -2)}__`, {}), 401, 'whatever the body is');
  for (const wrong of [{}, [], 'text', { transactionStatus: 'completed' }, { errorCode: 'x' }]) {
    assert.equal(await put(callbackUrl, wrong), 400);
  }
  assert.deepEqual(await inbox(database), []);
  assert.notEqual(await status(), 'DEBITED');
});

test('accepts a callback with an id that cannot be booked, and queries the operator', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { reference, callbackUrl, status } = await silentPayment(gateway);
  const { provider, database } = gateway;
  const names = ['"TX\\u0000-1"', '"TX\\ud800"', '"TX\\u202e1"', '12345678901234567890'];
  for (const name of names) {
    const told = await fetch(provider.callbackOrigin + new URL(callbackUrl).pathname, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: `{"transactionReference":${name},"transactionStatus":"completed","amount":15.2,"currency":"CVE"}`,
    });
    assert.equal(told.status, 204, name);
  }
  assert.equal((await inbox(database)).length, names.length);
  provider.settle(reference);
  await eventually('the debit', async () => (await status()) === 'DEBITED');
  assert.deepEqual(await checkLedger(database), []);
});

test('stores a repeated callback once, and debits once', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { reference, callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, database } = gateway;
  provider.settle(reference);
  const send = () => provider.callBack(callbackUrl, transaction);
  assert.deepEqual(await Promise.all([send(), send(), send()]), [204, 204, 204]);
  await eventually('the debit', async () => (await status()) === 'DEBITED');
  assert.equal(await send(), 204);
  await eventually('it is handled', async () => (await inbox(database)).every(({ due }) => !due));
  assert.deepEqual(await inbox(database), [{ contradicts: false, due: false }]);
  assert.deepEqual(await checkLedger(database), []);
});

test("debits nothing for a success that is only called back: the operator's answer to a query counts", async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { reference, callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, database } = gateway;
  provider.exchanges = [];
  assert.equal(await provider.callBack(callbackUrl, transaction), 204);
  await eventually('it is asked about four times', () => provider.calls(/^GET/).length === 4);
  assert.notEqual(await status(), 'DEBITED');
  // The customer declines after all: the callback was not true.
  const entry = provider.entries.get(reference)!;
  entry.transaction.transactionStatus = 'failed';
  entry.error = { errorCategory: 'businessRule', errorCode: 'insufficientFunds' };
  const refusal = failure(400, 'businessRule', 'insufficientFunds').body;
  assert.equal(await provider.callBack(callbackUrl, refusal), 204);
  await eventually('the failure', async () => (await status()) === 'FAILED');
  await database.query({
    text: 'UPDATE operator_callbacks SET due_at = received_at WHERE due_at IS NOT NULL',
  });
  await eventually('both are handled', async () =>
    (await inbox(database)).every(({ due }) => !due),
  );
  assert.deepEqual(await review(database), [
    { kind: 'CONTRADICTION', subject: 'PAYMENT', about: 'callback' },
  ]);
  assert.deepEqual(await checkLedger(database), []);
});

test('neither debits nor reverses anything for a callback with the transaction of another payment', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { live, provider, database } = gateway;
  const paid = { ...body, operatorPhone: '+2389910345' };
  const { body: good } = await live('POST', '/v1/payments', paid);
  const { operatorTxId } = await eventually('the debit', async () => {
    const { body: now } = await live('GET', `/v1/payments/${good.id}`);
    return now.status === 'DEBITED' && now;
  });
  const { body: unpaid } = await live('POST', '/v1/payments', body);
  const [reference, entry] = await eventually(
    'the request',
    () => [...provider.entries].find(([, { suffix }]) => suffix === '109')!,
  );
  const forged = { ...entry.transaction, ...transactionOf(operatorTxId) };
  await provider.callBack(entry.callbackUrl!, forged);
  await live('POST', `/v1/payments/${unpaid.id}/cancel`);
  await provider.callBack(entry.callbackUrl!, { ...forged, transactionReceipt: 'again' });
  entry.transaction.transactionStatus = 'failed';
  entry.error = { errorCategory: 'businessRule', errorCode: 'insufficientFunds' };
  await provider.callBack(
    entry.callbackUrl!,
    failure(400, 'businessRule', 'insufficientFunds').body,
  );
  await eventually('nobody asks any more', async () => {
    const text = 'SELECT due_at IS NULL AS done FROM payments WHERE id = $1';
    return (await database.query<{ done: boolean }>({ text }, [reference]))[0]?.done;
  });
  assert.equal((await live('GET', `/v1/payments/${good.id}`)).body.status, 'DEBITED');
  assert.equal((await live('GET', `/v1/payments/${unpaid.id}`)).body.status, 'CANCELLED');
  assert.deepEqual(provider.completed('reversal'), []);
  assert.deepEqual(provider.calls(/reversals$/), []);
  assert.deepEqual(await checkLedger(database), []);
});

test('lists a callback that contradicts a success, and changes no status', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { reference, callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, database, url } = gateway;
  provider.settle(reference);
  await provider.callBack(callbackUrl, transaction);
  await eventually('the debit', async () => (await status()) === 'DEBITED');
  const refusal = failure(400, 'businessRule', 'insufficientFunds').body;
  assert.equal(await provider.callBack(callbackUrl, refusal), 204);
  const rows = await eventually('both are handled', async () => {
    const all = await inbox(database);
    return all.length === 2 && all.every(({ due }) => !due) && all;
  });
  assert.deepEqual(
    rows.map(({ contradicts }) => contradicts),
    [false, true],
  );
  assert.equal(await status(), 'DEBITED');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /zimbo_review_items_total\{kind="CONTRADICTION",operator="CVMOVEL"\} 1/);
});

test('holds a debit that our records lack in suspense, and lists other unknown references', async (context) => {
  const { provider, database, url } = await liveGateway(context, {}, { timing });
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'live'`,
  });
  const tokens = createCallbackTokens(Buffer.alloc(32, 7));
  const references = callbackKinds.map((kind) => {
    // As after a restore of an older backup.
    const named = { operator: 'CVMOVEL', kind, tenantId: tenant!.id, reference: randomUUID() };
    return named as CallbackAddress;
  });
  const [debit] = references;
  provider.remember(debit!.reference, transactionOf('TX-1'));
  for (const named of references) {
    const address = `${url}/operators/CVMOVEL/callbacks/${tokens.make(named)}`;
    assert.equal(await provider.callBack(address, transactionOf('TX-1')), 204);
  }
  await eventually('all are handled', async () => {
    const rows = await inbox(database);
    return rows.length === callbackKinds.length && rows.every(({ due }) => !due);
  });
  const kinds = (await review(database)).map(({ kind, subject }) => `${kind} ${subject}`);
  assert.deepEqual(kinds.sort(), [
    'CONTRADICTION DISBURSEMENT',
    'CONTRADICTION REFUND',
    'CONTRADICTION REVERSAL',
    'UNKNOWN_REFERENCE PAYMENT',
  ]);
  const [held] = await database.query<{ status: string; minor: bigint }>({
    text: 'SELECT status, amount_minor AS minor FROM reversals',
  });
  assert.deepEqual(held, { status: 'HELD', minor: 1_520n });
  assert.deepEqual(provider.calls(/reversals$/), [], 'nothing goes back by itself');
  assert.deepEqual(await checkLedger(database), []);
});

test('handles a callback that another process stored but no longer handles', async (context) => {
  // A process without workers leaves a callback like one that died.
  const gateway = await liveGateway(context, {}, { environment: { ZIMBO_ROLE: 'api' } });
  const { live, database, provider, databaseUrl, url } = gateway;
  const { body: created } = await live('POST', '/v1/payments', body);
  const [{ tenantId, reference } = { tenantId: '', reference: '' }] = await database.query<{
    tenantId: string;
    reference: string;
  }>({ text: 'SELECT tenant_id AS "tenantId", id AS reference FROM payments' });
  const tokens = createCallbackTokens(Buffer.alloc(32, 7));
  const token = tokens.make({ operator: 'CVMOVEL', kind: 'DEBIT', tenantId, reference });
  const address = `${url}/operators/CVMOVEL/callbacks/${token}`;
  provider.remember(reference, transactionOf('TX-1'));
  assert.equal(await provider.callBack(address, transactionOf('TX-1')), 204);
  assert.deepEqual(await inbox(database), [{ contradicts: false, due: true }]);
  await anotherGateway(context, databaseUrl, {
    environment: operatorEnvironment('CVMOVEL', provider),
  });
  await eventually('the debit', async () => {
    const { body: now } = await live('GET', `/v1/payments/${created.id}`);
    return now.status === 'DEBITED' && now.operatorTxId === 'TX-1';
  });
});

test('accepts addresses under the old secret key while it is being replaced', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { reference, callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, databaseUrl } = gateway;
  provider.settle(reference);
  const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const restarted = async (environment: Record<string, string>) => {
    const settings = { ...operatorEnvironment('CVMOVEL', provider), ...environment };
    return (await anotherGateway(context, databaseUrl, { environment: settings })).url;
  };
  const tell = async (origin: string, body: unknown) => {
    provider.callbackOrigin = origin;
    return provider.callBack(callbackUrl, body);
  };
  const replaced = await restarted({ ZIMBO_SECRET_KEY: keyOf(8) });
  assert.equal(await tell(replaced, transaction), 401, 'the old key is forgotten');
  const replacing = await restarted({
    ZIMBO_SECRET_KEY: keyOf(8),
    ZIMBO_SECRET_KEY_PREVIOUS: keyOf(7),
  });
  const forged = createCallbackTokens(Buffer.alloc(32, 9));
  const someone = { operator: 'CVMOVEL', kind: 'DEBIT' } as const;
  const token = forged.make({ ...someone, tenantId: randomUUID(), reference: randomUUID() });
  const path = `/operators/CVMOVEL/callbacks/${token}`;
  assert.equal(await provider.callBack(replacing + path, transaction), 401);
  assert.equal(await tell(replacing, transaction), 204);
  await eventually('the debit', async () => (await status()) === 'DEBITED');
});

test('answers 500 to a callback that cannot be stored, so that it comes again', async (context) => {
  const gateway = await liveGateway(context, {}, { timing });
  const { callbackUrl, transaction } = await silentPayment(gateway);
  const { provider, database } = gateway;
  const rename = (from: string, to: string) =>
    database.query({ text: `ALTER TABLE ${from} RENAME TO ${to}` });
  await rename('operator_callbacks', 'gone');
  assert.equal(await provider.callBack(callbackUrl, transaction), 500);
  await rename('gone', 'operator_callbacks');
  assert.equal(await provider.callBack(callbackUrl, transaction), 204);
});
