import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type LiveGateway, liveGateway, operatorEnvironment } from '../operators/gateway.ts';
import { type Api, anotherGateway, apiOf, reach, testKey } from '../support/gateway.ts';

const publicUrl = 'https://pay.example.cv';
const secret = (byte: number) => Buffer.alloc(32, byte).toString('base64');

const before = {
  PUBLIC_URL: publicUrl,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  ZIMBO_SECRET_KEY: secret(7),
};

/** Changes every setting that can refuse a request or shape its answer, and removes all operators. */
const after = {
  PUBLIC_URL: publicUrl,
  WEBHOOK_ALLOW_PRIVATE: 'false',
  ZIMBO_SECRET_KEY: secret(8),
  ZIMBO_SECRET_KEY_PREVIOUS: secret(7),
  FEE_CVMOVEL: '400+100',
  FEE_MOCK: '400+100',
  PAYMENT_EXPIRY_SECONDS: '60',
  SETTLEMENT_HOUR: '5',
};

const livePayment = { amount: 10_000, operator: 'CVMOVEL', operatorPhone: '+2389912345' };
const testPayment = { ...livePayment, operator: 'MOCK' };

interface Request {
  path: string;
  body: unknown;
}

const keyOf = ({ path }: Request) => ({ 'idempotency-key': `key of ${path}` });
const post = (api: Api, request: Request) =>
  api('POST', request.path, request.body, keyOf(request));

/** A gateway with a changed configuration, on the same database. */
async function reconfigured(
  context: TestContext,
  { databaseUrl }: LiveGateway,
  key: string,
  change: Record<string, string> = {},
): Promise<Api> {
  const environment = { ...after, ...change };
  const { url } = await anotherGateway(context, databaseUrl, { environment });
  return apiOf(url, key);
}

/** The same request gets the same answer, also from a gateway with another configuration. */
async function checkReplay(api: Api, request: Request, original: string): Promise<void> {
  const again = await post(api, request);
  assert.equal(again.text, original);
  assert.equal(again.status, 200);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

/** A live payment of another gateway, and its key. */
async function payLive(context: TestContext) {
  const gateway = await liveGateway(context, {}, { environment: before });
  const key = await testKey(gateway.database, 'live');
  const request = { path: '/v1/payments', body: livePayment };
  const { status, text } = await post(apiOf(gateway.url, key), request);
  assert.equal(status, 200, text);
  return { gateway, key, request, original: text };
}

test('replays a payment after its operator left the configuration', async (context) => {
  const { gateway, key, request, original } = await payLive(context);
  const api = await reconfigured(context, gateway, key);
  await checkReplay(api, request, original);
  const otherBody = { ...request, body: { ...livePayment, amount: 10_001 } };
  const other = await post(api, otherBody);
  assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  const fresh = await api('POST', request.path, livePayment, { 'idempotency-key': 'fresh' });
  assert.equal(fresh.status, 400, 'a new key is refused');
  assert.equal((await api('POST', request.path, livePayment)).status, 400, 'and so is no key');
});

test('replays a payment after its currency left the configuration', async (context) => {
  const { gateway, key, request, original } = await payLive(context);
  const currencies = operatorEnvironment('CVMOVEL', gateway.provider, { CURRENCIES: 'AOA' });
  await checkReplay(await reconfigured(context, gateway, key, currencies), request, original);
});

/** Objects of a test key, and their changes before the request is repeated. */
const creations: Record<string, (gateway: LiveGateway) => Promise<Request>> = {
  'a test payment': async () => ({ path: '/v1/payments', body: testPayment }),
  'a refund of a payment that has nothing left': async ({ zimbo }) => {
    const { id } = await zimbo.payments.create(testPayment as never);
    await reach(zimbo.payments, id, 'DEBITED');
    return { path: '/v1/refunds', body: { paymentIntentId: id } };
  },
  'a settlement when there is nothing to settle any more': async ({ zimbo }) => {
    const { id } = await zimbo.payments.create(testPayment as never);
    await reach(zimbo.payments, id, 'DEBITED');
    return { path: '/v1/settlements/process', body: { currency: 'CVE' } };
  },
  'a product that was deleted': async () => ({
    path: '/v1/products',
    body: { name: 'Café', price: 100 },
  }),
  'a checkout session whose product was deleted': async ({ zimbo }) => {
    const { id: productId } = await zimbo.products.create({ name: 'Café', price: 100 });
    const item = { productId, name: 'Café', quantity: 1, unitPrice: 100 };
    return { path: '/v1/checkout/sessions', body: { items: [item] } };
  },
  'a webhook endpoint at an address that is refused by now': async () => ({
    path: '/v1/webhooks',
    body: { url: 'http://127.0.0.1:9/', events: ['payment.debited'] },
  }),
};

for (const [what, prepare] of Object.entries(creations)) {
  test(`replays the request for ${what} under another configuration`, async (context) => {
    const gateway = await liveGateway(context, {}, { environment: before });
    const request = await prepare(gateway);
    const original = await post(gateway.api, request);
    assert.equal(original.status, 200, original.text);
    for (const { id } of (await gateway.api('GET', '/v1/products')).body.data) {
      await gateway.zimbo.products.delete(id);
    }
    const api = await reconfigured(context, gateway, gateway.key);
    await checkReplay(api, request, original.text);
  });
}
