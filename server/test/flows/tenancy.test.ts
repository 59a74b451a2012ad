import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { heldBatches } from '../support/batches.ts';
import { firstTenant, heldDisbursement } from '../support/disbursing.ts';
import { apiOf, eventually, type TestGateway, testGateway, testKey } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912159' };

interface Operation {
  method: string;
  path: string;
  permission: string;
  hasBody: boolean;
}

/** Every operation that the OpenAPI document describes, with the permission that a key needs for it. */
async function operationsOf({ url }: TestGateway): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { 'x-permission': string; requestBody?: object }>>;
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      permission: operation['x-permission'],
      hasBody: operation.requestBody !== undefined,
    })),
  );
}

/** A refund of a payment whose customer has entered the PIN. */
async function refundOf({ api }: TestGateway) {
  const { body } = await api('POST', '/v1/payments', payment);
  const confirmed = async () =>
    (await api('POST', `/v1/payments/${body.id}/confirm`)).status === 200;
  await eventually('the customer confirms', confirmed);
  return api('POST', '/v1/refunds', { paymentIntentId: body.id });
}

/** One resource of each kind, by the path of its list. */
async function resourcesOf(gateway: TestGateway): Promise<Record<string, string>> {
  const { api } = gateway;
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.settled'] };
  const tenantId = await firstTenant(gateway.database);
  const { batch } = await heldBatches(gateway.database, tenantId);
  const created = {
    payments: await api('POST', '/v1/payments', payment),
    refunds: await refundOf(gateway),
    'checkout/sessions': await api('POST', '/v1/checkout/sessions', { amount: 1 }),
    products: await api('POST', '/v1/products', { name: 'Café', price: 1 }),
    'payment-links': await api('POST', '/v1/payment-links', { description: 'Quota', amount: 1 }),
    webhooks: await api('POST', '/v1/webhooks', endpoint),
    disbursements: { body: { id: await heldDisbursement(gateway.database, tenantId) } },
    disbursement_batches: { body: { id: batch } },
    events: { body: (await api('GET', '/v1/events')).body.data[0] },
  };
  const settings = { frameOrigins: ['https://shop.cv'] };
  assert.equal((await api('PATCH', '/v1/checkout/settings', settings)).status, 200);
  return Object.fromEntries(
    Object.entries(created).map(([kind, { body }]) => [kind, body.id as string]),
  );
}

/** The required parameters that a route checks before it looks for anything. */
const bodyOf = (path: string) =>
  path.endsWith('{id}/redeliver') ? { since: '2026-11-21T00:00:00Z' } : {};

/** Some routes refuse a request without a key before they look for anything. */
const anyKey = () => ({ 'idempotency-key': randomUUID() });

test("answers 404 to another tenant's id on every route, and shows nothing of others in lists", async (context) => {
  const gateway = await testGateway(context);
  const resources = await resourcesOf(gateway);
  const sameMerchantLive = await testKey(gateway.database, 'live');
  const stranger = await testKey(gateway.database);
  const operations = await operationsOf(gateway);
  assert.ok(operations.length >= 9);
  for (const key of [stranger, sameMerchantLive]) {
    const api = apiOf(gateway.url, key);
    for (const { method, path, hasBody } of operations) {
      const kind = path.slice('/v1/'.length).split('/{', 1)[0]!;
      if (path.includes('{id}')) {
        const answer = await api(
          method,
          path
            .replace('{id}', resources[kind]!)
            .replace('{deliveryId}', resources.events!.replace('evt_', 'dl_')),
          hasBody ? bodyOf(path) : undefined,
          anyKey(),
        );
        const isLiveConfirm = key === sameMerchantLive && path.endsWith('/confirm');
        assert.equal(answer.status, isLiveConfirm ? 403 : 404, `${method} ${path}`);
      } else if (path.startsWith('/v1/statements')) {
        const statement = await api(method, `/v1/statements?month=2026-10&currency=CVE`);
        assert.equal(statement.status, 200, path);
        assert.deepEqual(statement.body.days, [], path);
      } else if (path === '/v1/checkout/settings') {
        const settings = await api(method, path, hasBody ? {} : undefined);
        assert.deepEqual(settings.body, { frameOrigins: [] }, `${method} ${path}`);
      } else if (method === 'GET' && !path.startsWith('/v1/operators')) {
        const { status, body } = await api(method, path);
        assert.equal(status, 200, path);
        assert.deepEqual(
          body,
          path.endsWith('/balance') ? { data: [] } : { data: [], hasMore: false },
          path,
        );
      }
    }
  }
  for (const [kind, id] of Object.entries(resources)) {
    assert.equal((await gateway.api('GET', `/v1/${kind}/${id}`)).status, 200);
  }
});

test('rejects a missing key, and a key without the permission, on every route', async (context) => {
  const gateway = await testGateway(context);
  const base = { database: gateway.database, clock: systemClock, ids: randomIds() };
  const text = 'SELECT merchant_id AS id FROM tenants ORDER BY id LIMIT 1';
  const [merchant] = await gateway.database.query<{ id: string }>({ text });
  for (const { method, path, permission } of await operationsOf(gateway)) {
    const url = path.replace('{id}', 'nothing');
    const without = await fetch(`${gateway.url}${url}`, { method });
    assert.equal(without.status, 401, `${method} ${path}`);
    const others = ['products:read', 'products:write', 'events:read'] as const;
    const permissions = others.filter((other) => other !== permission);
    const { key } = await issueKey(base, { merchantId: merchant!.id, mode: 'test', permissions });
    const { status, body } = await apiOf(gateway.url, key)(method, url);
    assert.equal(status, 403, `${method} ${path}`);
    assert.match(body.error.message, new RegExp(permission));
  }
});

test('answers 404 to a malformed or unknown id in a path, and to an unknown route', async () => {
  const gateway = await sharedGateway();
  const ids = ['nothing', 'pi_', 'we_01m7yhp3gfe04vkhm96w446fdc', '%00', 'a'.repeat(190)];
  for (const { method, path, hasBody } of await operationsOf(gateway)) {
    if (!path.includes('{id}')) continue;
    for (const id of ids) {
      const { status, body } = await gateway.api(
        method,
        path.replace('{id}', id),
        hasBody ? bodyOf(path) : undefined,
        anyKey(),
      );
      assert.equal(status, 404, `${method} ${path} ${id}`);
      assert.equal(body.error.code, 'NOT_FOUND');
    }
  }
  const unknown = await gateway.api('GET', '/v1/nothing');
  assert.equal(unknown.status, 404);
  assert.equal((await fetch(`${gateway.url}/v1/nothing`)).status, 401);
});
