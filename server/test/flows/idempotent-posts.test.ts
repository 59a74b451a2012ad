import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actKeySweep } from '../../src/platform/idempotency/sweep.ts';
import { heldBatches } from '../support/batches.ts';
import { confirmPhone, okPhone } from '../support/checkout.ts';
import { changeTables, silentLog } from '../support/database.ts';
import { firstTenant, fund, heldDisbursement } from '../support/disbursing.ts';
import { reach, type TestGateway, testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string }[];
  'x-permission': string;
}

const documentFile = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');
const { paths } = JSON.parse(readFileSync(documentFile, 'utf8')) as {
  paths: Record<string, { post?: Operation }>;
};

/** POSTs with an effect; a POST that only needs a permission to read changes nothing when it is repeated. */
const posts = Object.entries(paths).flatMap(([path, { post }]) =>
  post && !post['x-permission'].endsWith(':read') ? [{ path, ...post }] : [],
);

/** POSTs of staff that need no key: to a repetition they answer in words that the act is done. */
const answeredInWords = [
  'revokeKey',
  'revokeAdminKey',
  'resolveReview',
  'closeReview',
  'completeSettlement',
  'failSettlement',
  'recordBankReference',
  'createTopUp',
  'cancelDisbursement',
  'cancelDisbursementBatch',
  'createBankStatement',
  'confirmBankLines',
  'dismissBankLines',
  'createReconciliation',
  'compareStatement',
  'explainDifferences',
  'compareAgain',
  'reopenDifference',
  'askOperator',
  'requestReview',
];

test('requires every POST of staff to take a key, or to need none', () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'admin-openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as { paths: typeof paths };
  const without = Object.values(document.paths).flatMap(({ post }) =>
    post && !post.parameters?.some(({ name }) => name === 'Idempotency-Key')
      ? [post.operationId]
      : [],
  );
  assert.deepEqual(without.sort(), answeredInWords.toSorted());
});

type Call = Record<string, unknown> & { path?: Record<string, string> };
const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: confirmPhone } as const;

const waiting = async ({ zimbo }: TestGateway) => {
  const { id } = await zimbo.payments.create(payment);
  return reach(zimbo.payments, id, 'USER_CONFIRMING');
};
const newEndpoint = ({ zimbo }: TestGateway) =>
  zimbo.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['payment.debited'] });

/** The batches of this gateway: they are made once, under keys of their own. */
const batches = new WeakMap<TestGateway, ReturnType<typeof heldBatches>>();
const held = async (gateway: TestGateway) => {
  const { database } = gateway;
  const made = batches.get(gateway) ?? heldBatches(database, await firstTenant(database));
  batches.set(gateway, made);
  return made;
};

/** How each is called. A new POST needs a line here. */
const calls: Record<string, (gateway: TestGateway) => Promise<Call>> = {
  createPayment: async () => payment,
  cancelPayment: async (gateway) => ({ path: { id: (await waiting(gateway)).id } }),
  confirmPayment: async (gateway) => ({ path: { id: (await waiting(gateway)).id } }),
  async createRefund({ zimbo }) {
    const { id } = await zimbo.payments.create({ ...payment, operatorPhone: okPhone });
    await reach(zimbo.payments, id, 'DEBITED');
    return { paymentIntentId: id, amount: 1 };
  },
  async createDisbursement({ database }) {
    await fund(database, await firstTenant(database), 1_000);
    return { amount: 5, operator: 'MOCK', operatorPhone: okPhone };
  },
  cancelDisbursement: async ({ database }) => ({
    path: { id: await heldDisbursement(database, await firstTenant(database)) },
  }),
  async createDisbursementBatch({ database }) {
    await fund(database, await firstTenant(database), 1_000);
    return { items: [{ amount: 5, operator: 'MOCK', operatorPhone: okPhone }] };
  },
  cancelDisbursementBatch: async (gateway) => ({ path: { id: (await held(gateway)).batch } }),
  retryDisbursementBatch: async (gateway) => ({ path: { id: (await held(gateway)).failedBatch } }),
  createCheckoutSession: async () => ({ amount: 5 }),
  async expireCheckoutSession({ zimbo }) {
    const items = [{ name: 'Açaí "grande"', quantity: 2, unitPrice: 5 }];
    const session = await zimbo.checkout.sessions.create({ items, metadata: { table: 'ã' } });
    return { path: { id: session.id } };
  },
  createProduct: async () => ({ name: 'Cachupa', price: 1 }),
  createPaymentLink: async () => ({ description: 'Quota', amount: 5 }),
  processSettlement: async () => ({}),
  createWebhookEndpoint: async () => ({ url: 'http://127.0.0.1:9/', events: ['payment.debited'] }),
  rotateWebhookSecret: async (gateway) => ({ path: { id: (await newEndpoint(gateway)).id } }),
  testWebhookEndpoint: async (gateway) => ({ path: { id: (await newEndpoint(gateway)).id } }),
  async redeliverWebhookDelivery(gateway) {
    const { id } = await newEndpoint(gateway);
    const { id: deliveryId } = await gateway.zimbo.webhooks.sendTest(id);
    return { path: { id, deliveryId } };
  },
  async redeliverWebhookEvents(gateway) {
    const { id } = await newEndpoint(gateway);
    return { path: { id }, since: '2026-01-01T00:00:00Z' };
  },
};

/** Without the rows of batches, which are made later: a batch counts as one effect. */
const effectsText = `
SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM refunds) AS refunds,
  (SELECT count(*) FROM disbursements WHERE batch_id IS NULL) AS disbursements,
  (SELECT count(*) FROM disbursement_batches) AS batches,
  (SELECT count(*) FROM checkout_sessions) AS sessions, (SELECT count(*) FROM products) AS products,
  (SELECT count(*) FROM payment_links) AS links, (SELECT count(*) FROM settlements) AS settlements,
  (SELECT sum(version) FROM webhook_endpoints) AS endpoints, (SELECT count(*) FROM audit_records) AS records,
  (SELECT count(*) FROM events WHERE type = 'webhook.test') AS tests`;

const effects = async ({ database }: TestGateway) =>
  (await database.query<Record<string, unknown>>({ text: effectsText }))[0];

const pathOf = (template: string, values: Record<string, string> = {}) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);

test('takes a key on every POST with an effect: sent twice, it takes effect once and gets the same bytes', async (context) => {
  const gateway = await testGateway(context);
  for (const { path, operationId, parameters = [] } of posts) {
    assert.ok(
      parameters.some(({ name }) => name === 'Idempotency-Key'),
      `${operationId} takes no key`,
    );
    const call = calls[operationId];
    assert.ok(call, `how is ${operationId} called?`);
    const { path: values, ...body } = await call(gateway);
    const sent = Object.keys(body).length > 0 ? body : undefined;
    const post = () =>
      gateway.api('POST', pathOf(path, values), sent, { 'idempotency-key': `of ${operationId}` });
    const first = await post();
    assert.equal(first.status, 200, `${operationId}: ${first.text}`);
    assert.equal(first.headers.get('idempotent-replayed'), null, operationId);
    const before = await effects(gateway);
    const second = await post();
    assert.equal(second.text, first.text, operationId);
    assert.equal(second.headers.get('idempotent-replayed'), 'true', operationId);
    assert.deepEqual(await effects(gateway), before, operationId);
  }
});

const acts = [
  'cancelPayment',
  'cancelDisbursement',
  'cancelDisbursementBatch',
  'confirmPayment',
  'expireCheckoutSession',
  'rotateWebhookSecret',
  'testWebhookEndpoint',
  'redeliverWebhookDelivery',
  'redeliverWebhookEvents',
];
const postOf = (operationId: string) => posts.find((post) => post.operationId === operationId)!;

test('applies one of two requests at once under one key, and gives both its answer', async (context) => {
  const gateway = await testGateway(context);
  for (const operationId of acts) {
    const { path: values, ...body } = await calls[operationId]!(gateway);
    const sent = Object.keys(body).length > 0 ? body : undefined;
    const records = async () => Number((await effects(gateway))!.records);
    const before = await records();
    const headers = { 'idempotency-key': 'at once' };
    const path = pathOf(postOf(operationId).path, values);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => gateway.api('POST', path, sent, headers)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
      operationId,
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, operationId);
    const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed'));
    assert.equal(replayed.length, 3, operationId);
    assert.equal((await records()) - before, 1, operationId);
  }
});

test('refuses the key of an act for another subject or body, and frees it after a refusal', async () => {
  const gateway = await sharedGateway();
  const { api, zimbo } = gateway;
  const headers = { 'idempotency-key': 'K' };
  const done = await zimbo.payments.create({ ...payment, operatorPhone: okPhone });
  await reach(zimbo.payments, done.id, 'DEBITED');
  const refused = await api('POST', `/v1/payments/${done.id}/cancel`, undefined, headers);
  assert.equal(refused.body.error.code, 'INVALID_STATE');
  const [one, other] = [await waiting(gateway), await waiting(gateway)];
  const cancelled = await api('POST', `/v1/payments/${one.id}/cancel`, undefined, headers);
  assert.equal(cancelled.body.status, 'CANCELLED', 'what was refused leaves no trace');
  const reused = await api('POST', `/v1/payments/${other.id}/cancel`, undefined, headers);
  assert.deepEqual([reused.status, reused.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal((await zimbo.payments.get(other.id)).status, 'USER_CONFIRMING');
  const confirmed = await api('POST', `/v1/payments/${other.id}/confirm`, undefined, headers);
  assert.equal(confirmed.status, 200, 'each route has keys of its own');
  const endpoint = await newEndpoint(gateway);
  const path = `/v1/webhooks/${endpoint.id}/rotate-secret`;
  assert.equal((await api('POST', path, { overlapHours: 1 }, headers)).status, 200);
  const longer = await api('POST', path, { overlapHours: 2 }, headers);
  assert.equal(longer.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('writes an act and its key together, or neither', async (context) => {
  const gateway = await testGateway(context);
  const { api, zimbo } = gateway;
  const headers = { 'idempotency-key': 'K' };
  const { id } = await waiting(gateway);
  const none = 'ALTER TABLE act_keys ADD CONSTRAINT none CHECK (false) NOT VALID';
  await changeTables(gateway.cellUrl, none);
  const failed = await api('POST', `/v1/payments/${id}/cancel`, undefined, headers);
  assert.equal(failed.status, 500);
  assert.equal((await zimbo.payments.get(id)).status, 'USER_CONFIRMING');
  await changeTables(gateway.cellUrl, 'ALTER TABLE act_keys DROP CONSTRAINT none');
  const cancelled = await api('POST', `/v1/payments/${id}/cancel`, undefined, headers);
  assert.equal(cancelled.body.status, 'CANCELLED');
});

test('shows the secret of a repeated rotation until the next one, which an overlap refuses unless it is to end', async (context) => {
  const gateway = await testGateway(context);
  const { api, database } = gateway;
  const { id, secret: original } = await newEndpoint(gateway);
  const path = `/v1/webhooks/${id}/rotate-secret`;
  const rotate = (key: string, body?: object) =>
    api('POST', path, body, { 'idempotency-key': key });
  const first = await rotate('first');
  assert.equal((await rotate('first')).body.secret, first.body.secret);
  const refused = await rotate('second');
  assert.deepEqual([refused.status, refused.body.error?.code], [409, 'INVALID_STATE']);
  assert.ok(refused.text.includes(first.body.overlapEndsAt), refused.text);
  const second = await rotate('second', { endOverlap: true });
  assert.equal(second.status, 200);
  const { secret: _, ...shown } = first.body;
  assert.deepEqual((await rotate('first')).body, shown, 'its secret is gone');
  const third = await rotate('third', { overlapHours: 0 });
  assert.equal(third.status, 200);
  const fourth = await rotate('fourth');
  assert.equal(fourth.status, 200, 'no overlap is under way');
  const stored = await database.query<{ text: string }>({
    text: 'SELECT answer::text FROM act_keys',
  });
  for (const { secret } of [
    { secret: original },
    ...[first, second, third, fourth].map(({ body }) => body),
  ])
    assert.ok(!JSON.stringify(stored).includes(secret), 'no secret stands in the clear');
  await api('DELETE', `/v1/webhooks/${id}`);
  assert.equal((await rotate('fourth')).status, 404);
});

test('forgets the keys of acts after 30 days', async (context) => {
  const gateway = await testGateway(context);
  const { database, zimbo } = gateway;
  const { id } = await newEndpoint(gateway);
  await zimbo.webhooks.sendTest(id, { idempotencyKey: 'K' });
  const count = async () => (await database.query({ text: 'SELECT FROM act_keys' })).length;
  const sweepAfter = async (days: number) => {
    const looked = Promise.withResolvers<void>();
    const sweep = actKeySweep({
      database: {
        ...database,
        query: (...given) => database.query<never>(...given).finally(looked.resolve),
      },
      clock: { nowMs: () => Date.now() + days * 86_400_000 },
      log: silentLog,
    });
    sweep.start();
    await looked.promise;
    await sweep.stop();
  };
  await sweepAfter(29);
  assert.equal(await count(), 1);
  await sweepAfter(31);
  assert.equal(await count(), 0);
});
