import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import {
  type CallbackAddress,
  callbackKinds,
  createCallbackTokens,
} from '../../src/operators/callbacks/token.ts';
import type { Database } from '../../src/platform/database.ts';
import { anotherGateway, eventually } from '../gateway.ts';
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

/** A payment whose customer says nothing, so that only what the test calls back is heard. */
async function silentPayment({ live, provider }: LiveGateway) {
  const { body: created } = await live('POST', '/v1/payments', body);
  const [reference, entry] = await eventually('the request', () => [...provider.entries][0]);
  const callbackUrl = entry.callbackUrl!;
  const status = async () => (await live('GET', `/v1/payments/${created.id}`)).body.status;
  const transaction = { ...entry.transaction, transactionStatus: 'COMPLETED' };
  return { id: created.id, reference, entry, callbackUrl, status, transaction };
}

test('a callback that we did not ask for is refused, and leaves no trace', async (context) => {
  const gateway = await liveGateway(context);
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

test('a callback is kept once however often it comes, and debits once', async (context) => {
  const gateway = await liveGateway(context);
  const { callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, database } = gateway;
  const send = () => provider.callBack(callbackUrl, transaction);
  assert.deepEqual(await Promise.all([send(), send(), send()]), [204, 204, 204]);
  await eventually('the debit', async () => (await status()) === 'DEBITED');
  assert.equal(await send(), 204);
  await eventually('it is handled', async () => (await inbox(database)).every(({ due }) => !due));
  assert.deepEqual(await inbox(database), [{ contradicts: false, due: false }]);
  assert.deepEqual(await checkLedger(database), []);
});

test('a callback that contradicts a success is kept and counted, and flips nothing', async (context) => {
  const gateway = await liveGateway(context);
  const { callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, database, url } = gateway;
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
  assert.match(metrics, /zimbo_operator_contradictions_total\{operator="CVMOVEL"\} 1/);
});

test('a callback of what our books do not know is kept and counted', async (context) => {
  const { provider, database, url } = await liveGateway(context);
  const tokens = createCallbackTokens(Buffer.alloc(32, 7));
  for (const kind of callbackKinds) {
    // As after a restore of an older backup.
    const named = { operator: 'CVMOVEL', kind, tenantId: randomUUID(), reference: randomUUID() };
    const token = tokens.make(named as CallbackAddress);
    const address = `${url}/operators/CVMOVEL/callbacks/${token}`;
    assert.equal(await provider.callBack(address, transactionOf('TX-1')), 204);
  }
  const kept = await eventually('all are handled', async () => {
    const rows = await inbox(database);
    return rows.length === 3 && rows.every(({ due }) => !due) && rows;
  });
  assert.ok(kept.every(({ contradicts }) => contradicts));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /zimbo_operator_contradictions_total\{operator="CVMOVEL"\} 3/);
});

test('what was kept by a process that does not handle it any more is handled by another', async (context) => {
  // A process that only answers leaves a callback as one that died would.
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

test('while the secret key is replaced, addresses that were given out under the old one stay good', async (context) => {
  const gateway = await liveGateway(context);
  const { callbackUrl, transaction, status } = await silentPayment(gateway);
  const { provider, databaseUrl } = gateway;
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

test('a callback that cannot be kept is answered 500, so that it comes again', async (context) => {
  const gateway = await liveGateway(context);
  const { callbackUrl, transaction } = await silentPayment(gateway);
  const { provider, database } = gateway;
  const rename = (from: string, to: string) =>
    database.query({ text: `ALTER TABLE ${from} RENAME TO ${to}` });
  await rename('operator_callbacks', 'gone');
  assert.equal(await provider.callBack(callbackUrl, transaction), 500);
  await rename('gone', 'operator_callbacks');
  assert.equal(await provider.callBack(callbackUrl, transaction), 204);
});
