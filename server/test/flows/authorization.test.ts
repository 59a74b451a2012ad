import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { allPermissions, type Mode } from '../../src/tenants/merchants/api-key.ts';
import { issueKey, revokeKey } from '../../src/tenants/merchants/keys.ts';
import { heldBatches } from '../support/batches.ts';
import { confirmPhone, okPhone } from '../support/checkout.ts';
import { firstTenant, heldDisbursement } from '../support/disbursing.ts';
import { freeToSettle } from '../support/free-to-settle.ts';
import {
  type Answer,
  apiOf,
  reach,
  type TestGateway,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

/** A tenant's objects, by their name in a path or a body. */
type Resources = Record<
  | 'payment'
  | 'waiting'
  | 'debited'
  | 'refund'
  | 'session'
  | 'product'
  | 'link'
  | 'event'
  | 'settlement'
  | 'endpoint'
  | 'delivery'
  | 'disbursement'
  | 'batch'
  | 'failedBatch'
  | 'operator',
  string
>;

interface Entry {
  /** The value of `{id}` in the path. */
  id?: keyof Resources;
  /** The rest of the path. */
  query?: string;
  body?: (owned: Resources) => unknown;
  /** Needs an idempotency key. */
  isKeyed?: true;
  /** Its action in the audit log; none for operations that only read, or that carry their own key. */
  leaves?: string;
  /** The answer to a stranger who names another tenant's object: by default 404, or an empty list. */
  stranger?: 'nothing' | 'his own';
}

const list: Entry = { stranger: 'nothing' };
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: confirmPhone };
const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.created'] };

/** How to call each operation: a new route needs a line here. The test tries all defects of a key on each alike. */
const entries: Record<string, Entry> = {
  createPayment: { body: () => payment, stranger: 'his own' },
  listPayments: list,
  getPayment: { id: 'payment' },
  cancelPayment: { id: 'payment', leaves: 'payment.cancelled' },
  confirmPayment: { id: 'waiting', leaves: 'payment.confirmed' },
  createRefund: { body: ({ debited }) => ({ paymentIntentId: debited, amount: 1 }) },
  listRefunds: list,
  getRefund: { id: 'refund' },
  createDisbursement: {
    body: () => ({ amount: 1, operator: 'MOCK', operatorPhone: okPhone }),
    isKeyed: true,
    stranger: 'his own',
  },
  listDisbursements: list,
  getDisbursement: { id: 'disbursement' },
  cancelDisbursement: { id: 'disbursement', leaves: 'disbursement.cancelled' },
  createDisbursementBatch: {
    body: () => ({ items: [{ amount: 1, operator: 'MOCK', operatorPhone: okPhone }] }),
    isKeyed: true,
    stranger: 'his own',
  },
  listDisbursementBatches: list,
  getDisbursementBatch: { id: 'batch' },
  listDisbursementsOfBatch: { id: 'batch' },
  cancelDisbursementBatch: { id: 'batch', leaves: 'disbursement_batch.cancelled' },
  retryDisbursementBatch: { id: 'failedBatch', isKeyed: true },
  createCheckoutSession: {
    body: ({ product }) => ({
      items: [{ productId: product, name: 'Cachupa', quantity: 1, unitPrice: 1 }],
    }),
  },
  listCheckoutSessions: list,
  getCheckoutSession: { id: 'session' },
  expireCheckoutSession: { id: 'session', leaves: 'checkout.expired' },
  getCheckoutSettings: { stranger: 'his own' },
  updateCheckoutSettings: {
    body: () => ({ frameOrigins: ['https://shop.cv'] }),
    leaves: 'checkout.settings_changed',
    stranger: 'his own',
  },
  createProduct: {
    body: () => ({ name: 'Cachupa', price: 1 }),
    leaves: 'product.created',
    stranger: 'his own',
  },
  listProducts: list,
  getProduct: { id: 'product' },
  updateProduct: {
    id: 'product',
    body: () => ({ name: 'Moamba' }),
    leaves: 'product.changed',
  },
  deleteProduct: { id: 'product', leaves: 'product.deleted' },
  createPaymentLink: {
    body: ({ product }) => ({ description: 'Quota', productId: product }),
    leaves: 'payment_link.created',
  },
  listPaymentLinks: list,
  getPaymentLink: { id: 'link' },
  updatePaymentLink: {
    id: 'link',
    body: () => ({ description: 'Anual' }),
    leaves: 'payment_link.changed',
  },
  listEvents: list,
  getEvent: { id: 'event' },
  listOperators: { stranger: 'his own' },
  getOperator: { stranger: 'his own' },
  predictOperator: { body: () => ({ phone: okPhone }), stranger: 'his own' },
  processSettlement: { body: () => ({}), leaves: 'settlement.processed', stranger: 'his own' },
  listSettlements: list,
  getSettlement: { id: 'settlement' },
  listSettlementItems: { id: 'settlement' },
  getSettlementItemsCsv: { id: 'settlement', leaves: 'settlement.exported' },
  getBalance: list,
  getStatement: { query: '?month=2026-11&currency=CVE', stranger: 'his own' },
  getStatementCsv: {
    query: '?month=2026-11&currency=CVE',
    leaves: 'statement.exported',
    stranger: 'his own',
  },
  createWebhookEndpoint: {
    body: () => endpoint,
    leaves: 'webhook.created',
    stranger: 'his own',
  },
  listWebhookEndpoints: list,
  getWebhookEndpoint: { id: 'endpoint' },
  updateWebhookEndpoint: {
    id: 'endpoint',
    body: () => ({ description: 'mine' }),
    leaves: 'webhook.changed',
  },
  deleteWebhookEndpoint: { id: 'endpoint', leaves: 'webhook.deleted' },
  rotateWebhookSecret: {
    id: 'endpoint',
    body: () => ({ overlapHours: 0 }),
    leaves: 'webhook.secret_rotated',
  },
  listWebhookDeliveries: { id: 'endpoint' },
  getWebhookDelivery: { id: 'endpoint' },
  redeliverWebhookDelivery: { id: 'endpoint', leaves: 'webhook.redelivered' },
  redeliverWebhookEvents: {
    id: 'endpoint',
    body: () => ({ since: '2026-11-21T00:00:00Z' }),
    leaves: 'webhook.redelivered',
  },
  testWebhookEndpoint: { id: 'endpoint', leaves: 'webhook.tested' },
};

interface Operation {
  operationId: string;
  method: string;
  path: string;
  permission: string;
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; 'x-permission': string }>>;
}

async function operationsOf({ url }: TestGateway): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, ...operation }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      permission: operation['x-permission'],
    })),
  );
}

/** One object of each kind, of the gateway's first tenant. */
async function resourcesOf({ api, zimbo, database }: TestGateway): Promise<Resources> {
  const make = async (path: string, body: unknown) => (await api('POST', path, body)).body.id;
  const made = await make('/v1/webhooks', endpoint);
  const debited = await make('/v1/payments', { ...payment, operatorPhone: okPhone });
  await reach(zimbo.payments, debited, 'DEBITED');
  const settlement = await make('/v1/settlements/process', {});
  const waiting = await make('/v1/payments', payment);
  const second = await make('/v1/payments', payment);
  for (const id of [waiting, second]) await reach(zimbo.payments, id, 'USER_CONFIRMING');
  const refund = await make('/v1/refunds', { paymentIntentId: debited, amount: 1 });
  await reach(zimbo.refunds, refund, 'SUCCEEDED');
  const deliveries = await api('GET', `/v1/webhooks/${made}/deliveries`);
  const tenantId = await firstTenant(database);
  return {
    endpoint: made,
    debited,
    settlement,
    payment: second,
    waiting,
    refund,
    session: await make('/v1/checkout/sessions', { amount: 1 }),
    product: await make('/v1/products', { name: 'Cachupa', price: 1 }),
    link: await make('/v1/payment-links', { description: 'Quota', amount: 1 }),
    event: (await api('GET', '/v1/events')).body.data[0].id,
    delivery: deliveries.body.data[0].id,
    operator: 'MOCK',
    disbursement: await heldDisbursement(database, tenantId),
    ...(await heldBatches(database, tenantId)),
  };
}

function call(
  { url }: TestGateway,
  key: string | undefined,
  operation: Operation,
  owned: Resources,
): Promise<Answer> {
  const { method, path, operationId } = operation;
  const { id, query = '', body, isKeyed } = entries[operationId]!;
  const named = path
    .replace('{id}', () => (id === undefined ? '' : owned[id]))
    .replace('{deliveryId}', owned.delivery)
    .replace('{name}', owned.operator);
  assert.doesNotMatch(named, /[{}]/, `${operationId}: the entry does not name all of ${path}`);
  const headers = {
    ...(key === undefined && { authorization: '' }),
    ...(isKeyed && { 'idempotency-key': randomUUID() }),
  };
  return apiOf(url, key ?? '')(method, named + query, body?.(owned), headers);
}

/** All rows that requests could have created, changed or removed: they must belong to the first tenant. */
async function stateOf({ database }: TestGateway): Promise<unknown> {
  const text = `
    WITH first AS (SELECT tenant_id FROM api_keys ORDER BY id LIMIT 1),
    state AS (
      SELECT tenant_id, 'payment' AS kind, id, status, version FROM payments
      UNION ALL SELECT tenant_id, 'refund', id, NULL, 0 FROM refunds
      UNION ALL SELECT tenant_id, 'disbursement', id, status, version FROM disbursements
      UNION ALL SELECT tenant_id, 'batch', id, status, version FROM disbursement_batches
      UNION ALL SELECT tenant_id, 'session', id, status, version FROM checkout_sessions
      UNION ALL SELECT tenant_id, 'product', id, name || coalesce(deleted_at::text, ''), 0 FROM products
      UNION ALL SELECT tenant_id, 'link', id, description, 0 FROM payment_links
      UNION ALL SELECT tenant_id, 'endpoint', id, encode(secret_box, 'hex'), version FROM webhook_endpoints
      UNION ALL SELECT tenant_id, 'settlement', id, NULL, 0 FROM settlements)
    SELECT kind, id, status, version FROM state JOIN first USING (tenant_id) ORDER BY kind, id`;
  return database.query({ text });
}

const seenRecords = new WeakMap<TestGateway, number>();

/** The actions in a key's audit records since the last call. */
async function newRecords(gateway: TestGateway, keyId: string): Promise<string[]> {
  const text = 'SELECT action, actor, origin FROM audit_records WHERE actor = $1 ORDER BY id';
  const records = await gateway.database.query<{ action: string; origin: string }>({ text }, [
    `key:${formatId('ak', keyId)}`,
  ]);
  for (const { origin } of records) assert.equal(origin, '127.0.0.1');
  const seen = seenRecords.get(gateway) ?? 0;
  seenRecords.set(gateway, records.length);
  return records.slice(seen).map(({ action }) => action);
}

interface House {
  gateway: TestGateway;
  operations: Operation[];
  owned: Resources;
  /** Creates a key of the first merchant. */
  keyOf: (order: {
    mode?: Mode;
    without?: string;
    addresses?: string[];
  }) => Promise<{ id: string; key: string }>;
}

async function setUp(context: TestContext): Promise<House> {
  const environment = { RATE_LIMIT: 'off' };
  const gateway = await testGateway(context, { environment });
  const operations = await operationsOf(gateway);
  const owned = await resourcesOf(gateway);
  const dependencies = { database: gateway.database, clock: systemClock, ids: randomIds() };
  const text = 'SELECT id FROM merchants ORDER BY id LIMIT 1';
  const [merchant] = await gateway.database.query<{ id: string }>({ text });
  const keyOf: House['keyOf'] = ({ mode = 'test', without, addresses = [] }) =>
    issueKey(dependencies, {
      merchantId: merchant!.id,
      mode,
      permissions: allPermissions.filter((permission) => permission !== without),
      terms: { allowedAddresses: addresses },
    });
  return { gateway, operations, owned, keyOf };
}

test('has an entry for exactly the operations of the document', async () => {
  const operations = await operationsOf(await sharedGateway());
  assert.deepEqual(
    Object.keys(entries).sort(),
    operations.map(({ operationId }) => operationId).sort(),
  );
});

test('runs no operation without a valid key', async (context) => {
  const { gateway, operations, owned, keyOf } = await setUp(context);
  const { database } = gateway;
  const revoked = await keyOf({});
  await revokeKey({ database, clock: systemClock, ids: randomIds() }, revoked.id);
  const expired = await keyOf({});
  const past = `UPDATE api_keys SET expires_at = now() - interval '1 ms' WHERE id = $1`;
  await database.query({ text: past }, [expired.id]);
  const elsewhere = await keyOf({ addresses: ['192.0.2.0/24', '2001:db8::/48'] });
  const refused: [why: string, key: string | undefined, status: number, code: string][] = [
    ['no key', undefined, 401, 'UNAUTHORIZED'],
    ['an unknown key', `sk_test_${'0'.repeat(32)}`, 401, 'UNAUTHORIZED'],
    ['a revoked key', revoked.key, 401, 'UNAUTHORIZED'],
    ['an expired key', expired.key, 401, 'UNAUTHORIZED'],
    ['a key from a wrong address', elsewhere.key, 403, 'ADDRESS_NOT_ALLOWED'],
  ];
  const before = await stateOf(gateway);
  for (const operation of operations) {
    for (const [why, key, status, code] of refused) {
      const answer = await call(gateway, key, operation, owned);
      const said = { status: answer.status, code: answer.body?.error?.code };
      assert.deepEqual(said, { status, code }, `${operation.operationId} with ${why}`);
    }
  }
  assert.deepEqual(await stateOf(gateway), before);
});

test('runs each operation only for keys with its permission', async (context) => {
  const { gateway, operations, owned, keyOf } = await setUp(context);
  const before = await stateOf(gateway);
  for (const operation of operations) {
    const { key } = await keyOf({ without: operation.permission });
    const { status, body } = await call(gateway, key, operation, owned);
    assert.equal(status, 403, operation.operationId);
    assert.equal(body.error.code, 'FORBIDDEN');
    assert.ok(body.error.message.includes(operation.permission), body.error.message);
  }
  assert.deepEqual(await stateOf(gateway), before);
  // Otherwise all rejected requests might have been malformed. Deletions come last.
  const last = operations.filter(({ method }) => method === 'DELETE');
  const { id, key } = await keyOf({});
  await freeToSettle(gateway);
  for (const operation of [...operations.filter((each) => !last.includes(each)), ...last]) {
    const { operationId } = operation;
    const { status } = await call(gateway, key, operation, owned);
    const expected = operation.method === 'DELETE' ? 204 : 200;
    assert.equal(status, expected, operationId);
    const records = await newRecords(gateway, id);
    const { leaves } = entries[operationId]!;
    assert.deepEqual(records, leaves === undefined ? [] : [leaves], operationId);
  }
});

test('shows and changes nothing of another tenant or mode', async (context) => {
  const { gateway, operations, owned, keyOf } = await setUp(context);
  const strangers = {
    'another tenant': await testKey(gateway.database),
    'the other mode': (await keyOf({ mode: 'live' })).key,
  };
  const before = await stateOf(gateway);
  const naming = operations.filter(
    ({ operationId }) => entries[operationId]!.stranger !== 'his own',
  );
  for (const [who, key] of Object.entries(strangers)) {
    for (const operation of naming) {
      const { operationId } = operation;
      const { status, body } = await call(gateway, key, operation, owned);
      if (entries[operationId]!.stranger === 'nothing') {
        assert.equal(status, 200, `${operationId} for ${who}`);
        assert.deepEqual(body.data, [], `${operationId} for ${who}`);
        continue;
      }
      // A live key confirms nothing, whatever the id.
      const isLiveConfirm = operationId === 'confirmPayment' && who === 'the other mode';
      assert.equal(status, isLiveConfirm ? 403 : 404, `${operationId} for ${who}`);
    }
    for (const operation of operations.filter((each) => !naming.includes(each))) {
      const { status } = await call(gateway, key, operation, owned);
      assert.ok(status < 500, operation.operationId);
    }
  }
  assert.deepEqual(await stateOf(gateway), before);
});
