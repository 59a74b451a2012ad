import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseId } from '../../src/platform/values/ids.ts';
import { confirmPhone, okPhone } from '../support/checkout.ts';
import { changeTables } from '../support/database.ts';
import { eventually, reach, type TestGateway, testGateway } from '../support/gateway.ts';

interface Row {
  action: string;
  actor: string;
  origin: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  whole: string;
}

/** The audit records of a key, oldest first. */
function recordsOf({ database }: TestGateway): Promise<Row[]> {
  const text = `SELECT action, actor, origin, before, after, r::text AS whole FROM audit_records r
    WHERE actor LIKE 'key:%' ORDER BY id`;
  return database.query<Row>({ text });
}

test('records a change with its values before and after', async (context) => {
  const gateway = await testGateway(context);
  const { api } = gateway;
  const secretUrl = 'https://shop.cv/hooks/a1b2c3?token=geheim';
  const endpoint = { url: secretUrl, events: ['payment.settled'], description: 'ask +2389912345' };
  const made = (await api('POST', '/v1/webhooks', endpoint)).body;
  await api('PATCH', `/v1/webhooks/${made.id}`, { status: 'DISABLED' });
  const moved = { url: 'https://shop.cv/hooks/other' };
  await api('PATCH', `/v1/webhooks/${made.id}`, moved);
  const product = (await api('POST', '/v1/products', { name: 'Café', price: 100 })).body;
  const change = { price: 120, description: 'for Maria', metadata: { phone: '+2389912345' } };
  await api('PATCH', `/v1/products/${product.id}`, change);
  const [created, disabled, redirected, , priced] = await recordsOf(gateway);
  assert.equal(created!.before, null);
  assert.match(String(created!.after!.url), /^https:\/\/shop\.cv\/… \([0-9a-f]{16}\)$/);
  assert.deepEqual([disabled!.before!.status, disabled!.after!.status], ['ACTIVE', 'DISABLED']);
  assert.equal(disabled!.before!.url, disabled!.after!.url);
  assert.notEqual(redirected!.before!.url, redirected!.after!.url);
  assert.deepEqual([priced!.before!.price, priced!.after!.price], ['100', '120']);
  assert.equal(priced!.before!.metadata, null);
  assert.match(String(priced!.after!.metadata), /^\([0-9a-f]{16}\)$/);
  const all = (await recordsOf(gateway)).map(({ whole }) => whole).join('\n');
  for (const hidden of ['a1b2c3', 'geheim', '9912345', 'Maria', made.secret]) {
    assert.ok(!all.includes(hidden), hidden);
  }
});

test('records nothing for rejected, repeated or empty requests', async (context) => {
  const gateway = await testGateway(context);
  const { api, zimbo } = gateway;
  const key = { 'idempotency-key': 'once' };
  const endpoint = { url: 'https://shop.cv/hooks', events: ['payment.settled'] };
  const body = { name: 'Café', price: 100 };
  for (let time = 0; time < 2; time++) {
    await api('POST', '/v1/webhooks', endpoint, key);
    await api('POST', '/v1/products', body, key);
  }
  const product = (await api('GET', '/v1/products')).body.data[0].id;
  await api('PATCH', `/v1/products/${product}`, {});
  await api('PATCH', `/v1/products/${product}`, { price: -1 });
  const paid = (
    await api('POST', '/v1/payments', { amount: 100, operator: 'MOCK', operatorPhone: okPhone })
  ).body.id;
  await reach(zimbo.payments, paid, 'DEBITED');
  assert.equal((await api('POST', `/v1/payments/${paid}/cancel`)).status, 409);
  const actions = (await recordsOf(gateway)).map(({ action }) => action);
  assert.deepEqual(actions, ['webhook.created', 'product.created']);
});

test('records one of several concurrent cancels, with its transition', async (context) => {
  const gateway = await testGateway(context);
  const { api, zimbo, database } = gateway;
  const body = { amount: 100, operator: 'MOCK', operatorPhone: confirmPhone };
  const { id } = (await api('POST', '/v1/payments', body)).body;
  await reach(zimbo.payments, id, 'USER_CONFIRMING');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api('POST', `/v1/payments/${id}/cancel`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const [cancelled, ...others] = await recordsOf(gateway);
  assert.deepEqual(others, []);
  assert.equal(cancelled!.action, 'payment.cancelled');
  assert.deepEqual(cancelled!.before, { status: 'USER_CONFIRMING' });
  assert.deepEqual(cancelled!.after, { status: 'CANCELLED' });
  const text = 'SELECT status FROM payments WHERE id = $1';
  assert.deepEqual(await database.query({ text }, [parseId('pi', id)]), [{ status: 'CANCELLED' }]);
});

test('makes no change whose record cannot be written', async (context) => {
  const gateway = await testGateway(context);
  const { api, zimbo } = gateway;
  const body = { amount: 100, operator: 'MOCK', operatorPhone: confirmPhone };
  const payment = (await api('POST', '/v1/payments', body)).body.id;
  await reach(zimbo.payments, payment, 'USER_CONFIRMING');
  const session = (await api('POST', '/v1/checkout/sessions', { amount: 100 })).body.id;
  const product = (await api('POST', '/v1/products', { name: 'Café', price: 100 })).body.id;
  const refuse = 'ALTER TABLE audit_records ADD CONSTRAINT none CHECK (false) NOT VALID';
  await changeTables(gateway.cellUrl, refuse);
  for (const [method, path, change] of [
    ['POST', `/v1/payments/${payment}/cancel`],
    ['POST', `/v1/checkout/sessions/${session}/expire`],
    ['PATCH', `/v1/products/${product}`, { price: 1 }],
    ['DELETE', `/v1/products/${product}`],
  ] as const) {
    assert.equal((await api(method, path, change)).status, 500, path);
  }
  assert.equal((await api('GET', `/v1/payments/${payment}`)).body.status, 'USER_CONFIRMING');
  assert.equal((await api('GET', `/v1/checkout/sessions/${session}`)).body.status, 'OPEN');
  assert.equal((await api('GET', `/v1/products/${product}`)).body.price, '100');
});

test('seals the records of a running gateway', async (context) => {
  const gateway = await testGateway(context, { timing: { sealIntervalMs: 50 } });
  await gateway.api('POST', '/v1/products', { name: 'Café', price: 100 });
  const text = `SELECT (SELECT count(*) FROM audit_unsealed) AS open, coalesce(sum(cardinality(record_ids)), 0) AS sealed
    FROM audit_seals`;
  await eventually('all is sealed', async () => {
    const [row] = await gateway.database.query<{ open: bigint; sealed: bigint }>({ text });
    return row!.open === 0n && row!.sealed >= 3n;
  });
});
