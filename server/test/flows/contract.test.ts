import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../src/integrations/events/event.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { apiOf, eventually, testGateway, testKey } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
const poorPhone = '+2389912049';
const targetUrl = 'http://127.0.0.1:9/';
const sessions = '/v1/checkout/sessions';

const metadata = { pedido: 'A 1' };
const currency = /^(CVE|AOA)$/;
const minorUnits = /^\d+$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const idOf = (prefix: string) => new RegExp(`^${prefix}_[0-9a-z]{26}$`);
const life = { createdAt: instant, updatedAt: instant };

const paymentFields = {
  id: idOf('pi'),
  externalId: /^encomenda 1$/,
  amount: /^10000$/,
  currency,
  feeAmount: minorUnits,
  netAmount: minorUnits,
  operator: /^(CVMOVEL|UNITEL_TMAIS|MOCK)$/,
  operatorPhone: /^\+2389912345$/,
  operatorTxId: /./,
  status: /^DEBITED$/,
  failureCode: null,
  failureMessage: null,
  description: /^Almoço$/,
  statementDescriptor: /^LOJA$/,
  customerId: /^cliente 1$/,
  metadata,
  expiresAt: instant,
  ...life,
};

const itemFields = {
  id: /./,
  productId: idOf('pr'),
  name: /^Café$/,
  description: /^Moído$/,
  quantity: 2,
  unitPrice: /^45000$/,
  currency,
};

const sessionFields = {
  id: idOf('cs'),
  url: /^https?:\/\/.+/,
  amount: /^90000$/,
  currency,
  status: /^OPEN$/,
  returnUrl: /^https:\/\/shop\.cv\/cart$/,
  completionUrl: /^https:\/\/shop\.cv\/thanks$/,
  customerId: /^cliente 1$/,
  paymentIntentId: null,
  metadata,
  expiresAt: instant,
  ...life,
};

const productFields = {
  id: idOf('pr'),
  name: /^Café$/,
  description: /^Do Fogo$/,
  price: /^45000$/,
  currency,
  active: true,
  metadata,
  ...life,
};

const endpointFields = {
  id: idOf('we'),
  url: /^http:\/\/127\.0\.0\.1:9\/$/,
  events: [...eventTypes],
  status: /^ACTIVE$/,
  description: /^A loja$/,
  ...life,
};

type Fields = Record<string, unknown>;

/** Exactly these fields: text that matches a pattern, or else the value itself. */
function assertFields(shown: Fields, fields: Fields): void {
  assert.deepEqual(Object.keys(shown).sort(), Object.keys(fields).sort());
  for (const [name, expected] of Object.entries(fields)) {
    if (expected instanceof RegExp) {
      assert.equal(typeof shown[name], 'string', name);
      assert.match(shown[name] as string, expected, name);
    } else {
      assert.deepEqual(shown[name], expected, name);
    }
  }
}

test('returns a payment with exactly the fields of the contract, each of its type', async () => {
  const { api } = await sharedGateway();
  const { body: created } = await api('POST', '/v1/payments', {
    ...payment,
    externalId: 'encomenda 1',
    customerId: 'cliente 1',
    description: 'Almoço',
    statementDescriptor: 'LOJA',
    metadata,
  });
  assertFields(created, { ...paymentFields, operatorTxId: null, status: /^CREATED$/ });
  const debited = await eventually('the payment is debited', async () => {
    const { body } = await api('GET', `/v1/payments/${created.id}`);
    return body.status === 'DEBITED' && body;
  });
  assertFields(debited, paymentFields);
});

test('says why a payment failed, in a code and in words', async () => {
  const { api } = await sharedGateway();
  const { body } = await api('POST', '/v1/payments', { ...payment, operatorPhone: poorPhone });
  const failed = await eventually('the payment fails', async () => {
    const { body: now } = await api('GET', `/v1/payments/${body.id}`);
    return now.status === 'FAILED' && now;
  });
  assert.deepEqual(Object.keys(failed).sort(), Object.keys(paymentFields).sort());
  assert.match(failed.failureCode, /^[A-Z_]+$/);
  assert.match(failed.failureMessage, /\.$/);
});

test('accepts each of the three operators', async () => {
  const { api } = await sharedGateway();
  for (const operator of ['CVMOVEL', 'UNITEL_TMAIS', 'MOCK']) {
    const { status, body } = await api('POST', '/v1/payments', { ...payment, operator });
    assert.deepEqual([status, body.operator], [200, operator]);
  }
});

test('cancels a payment that waits for its customer, and answers with the payment', async () => {
  const { api } = await sharedGateway();
  const waiting = { ...payment, operatorPhone: '+2389912159' };
  const { body: created } = await api('POST', '/v1/payments', waiting);
  await eventually('the customer is asked', async () => {
    const { body } = await api('GET', `/v1/payments/${created.id}`);
    return body.status === 'USER_CONFIRMING';
  });
  const cancelled = await api('POST', `/v1/payments/${created.id}/cancel`);
  const { status, updatedAt, ...rest } = cancelled.body;
  assert.deepEqual([cancelled.status, status], [200, 'CANCELLED']);
  const { status: _status, updatedAt: _updatedAt, ...before } = created;
  assert.deepEqual({ ...rest, operatorTxId: null }, before);
  assert.ok(updatedAt >= created.createdAt);
});

test('returns a checkout session, its items and a product with exactly the fields of the contract', async () => {
  const { api } = await sharedGateway();
  const { status, body: product } = await api('POST', '/v1/products', {
    name: 'Café',
    price: 45_000,
    description: 'Do Fogo',
    metadata,
  });
  assert.equal(status, 200);
  assertFields(product, productFields);
  const item = { name: 'Café', description: 'Moído', quantity: 2, unitPrice: 45_000 };
  const session = await api('POST', sessions, {
    items: [{ ...item, productId: product.id }],
    currency: 'CVE',
    customerId: 'cliente 1',
    returnUrl: 'https://shop.cv/cart',
    completionUrl: 'https://shop.cv/thanks',
    expiresInMinutes: 30,
    metadata,
  });
  assert.equal(session.status, 200);
  const { items, ...rest } = session.body;
  assertFields(rest, sessionFields);
  assert.equal(items.length, 1);
  assertFields(items[0], itemFields);
  assert.equal(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt), 30 * 60_000);
});

test('shows what the contract has no field for only where it was given', async () => {
  const { api } = await sharedGateway();
  const description = 'Encomenda 17';
  const externalId = 'encomenda 17';
  const contract = [...Object.keys(sessionFields), 'items'];
  for (const given of [{}, { description }, { externalId }, { description, externalId }]) {
    const { body } = await api('POST', sessions, { amount: 45_000, ...given });
    assert.deepEqual(Object.keys(body).sort(), [...contract, ...Object.keys(given)].sort());
    assert.deepEqual(body, { ...body, ...given });
  }
});

test('returns a webhook endpoint with exactly the fields of the contract, the secret only when created', async () => {
  const { api } = await sharedGateway();
  const { status, body: created } = await api('POST', '/v1/webhooks', {
    url: targetUrl,
    events: eventTypes,
    description: 'A loja',
  });
  assert.equal(status, 200);
  assertFields(created, { ...endpointFields, secret: /./ });
  const { body: shown } = await api('GET', `/v1/webhooks/${created.id}`);
  assertFields(shown, endpointFields);
});

test('accepts CVE and AOA everywhere, and no other currency', async () => {
  const { api } = await sharedGateway();
  const bodies: [string, object][] = [
    ['/v1/payments', payment],
    [sessions, { amount: 1 }],
    ['/v1/products', { name: 'Café', price: 1 }],
  ];
  for (const [path, body] of bodies) {
    for (const code of ['CVE', 'AOA']) {
      const answer = await api('POST', path, { ...body, currency: code });
      assert.deepEqual([answer.status, answer.body.currency], [200, code], path);
    }
    for (const code of ['EUR', 'cve', '']) {
      assert.equal((await api('POST', path, { ...body, currency: code })).status, 400, path);
    }
  }
});

test('allows at most 50 keys of metadata, which may be null or omitted, everywhere', async () => {
  const { api } = await sharedGateway();
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  const bodies: [string, object][] = [
    ['/v1/payments', payment],
    [sessions, { amount: 1 }],
    ['/v1/products', { name: 'Café', price: 1 }],
  ];
  for (const [path, body] of bodies) {
    for (const given of [keys(50), {}, null, undefined]) {
      const answer = await api('POST', path, { ...body, metadata: given });
      assert.equal(answer.status, 200, path);
      assert.deepEqual(answer.body.metadata, given ?? null, path);
    }
    assert.equal((await api('POST', path, { ...body, metadata: keys(51) })).status, 400, path);
  }
});

test('requires a JSON body for a checkout session', async () => {
  const { api, url, key } = await sharedGateway();
  assert.equal((await api('POST', sessions)).status, 400);
  for (const contentType of ['application/json', 'text/plain', 'application/json; charset=utf-8']) {
    const answer = await fetch(`${url}${sessions}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': contentType },
      body: '{"amount":1}',
    });
    assert.equal(answer.status, contentType === 'text/plain' ? 400 : 200, contentType);
  }
});

test('takes a limit of 1 to 100 on every list, and returns a page of data and hasMore', async () => {
  const { api, url } = await sharedGateway();
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape.
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as any;
  const limitOf = (path: string) =>
    paths[path].get?.parameters?.find(({ name }: { name: string }) => name === 'limit');
  const lists = Object.keys(paths).filter((path) => limitOf(path) && !path.includes('{'));
  for (const list of ['payments', 'refunds', 'checkout/sessions', 'products', 'webhooks']) {
    assert.ok(lists.includes(`/v1/${list}`), list);
  }
  for (const path of lists) {
    const { type, minimum, maximum, default: normal } = limitOf(path).schema;
    assert.deepEqual([type, minimum, maximum, normal], ['integer', 1, 100, 20], path);
    for (const limit of [1, 100]) {
      const { status, body } = await api('GET', `${path}?limit=${limit}`);
      assert.deepEqual([status, body], [200, { data: [], hasMore: false }], path);
    }
    for (const limit of [0, 101]) {
      assert.equal((await api('GET', `${path}?limit=${limit}`)).status, 400, path);
    }
  }
});

test('returns 100 rows on a page of 100, and starts the next page after its last item', async () => {
  const { api } = await sharedGateway();
  const body = { name: 'Café', price: 1 };
  await Promise.all(Array.from({ length: 101 }, () => api('POST', '/v1/products', body)));
  const { body: first } = await api('GET', '/v1/products?limit=100');
  assert.deepEqual([first.data.length, first.hasMore], [100, true]);
  const { body: second } = await api('GET', `/v1/products?starting_after=${first.data[99].id}`);
  assert.deepEqual([second.data.length, second.hasMore], [1, false]);
  const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
  assert.equal(new Set(ids).size, 101);
});

test('answers every refusal with its status, and a body of message and code', async (context) => {
  const environment = { RATE_LIMIT: '1/6' };
  const { url, database, key, api } = await testGateway(context, { environment });
  const stranger = apiOf(url, `sk_test_${'0'.repeat(32)}`);
  const base = { database, clock: systemClock, ids: randomIds() };
  const text = `SELECT merchant_id AS id FROM tenants LIMIT 1`;
  const [merchant] = await database.query<{ id: string }>({ text });
  const permissions = ['events:read'] as const;
  const issued = { merchantId: merchant!.id, mode: 'test' as const, permissions: [...permissions] };
  const lesser = apiOf(url, (await issueKey(base, issued)).key);
  const { body: session } = await api('POST', sessions, { amount: 1 });
  await api('POST', `${sessions}/${session.id}/expire`);
  const answers = {
    400: await api('POST', sessions, {}),
    401: await stranger('GET', '/v1/payments'),
    403: await lesser('GET', '/v1/payments'),
    404: await api('GET', '/v1/payments/pi_00000000000000000000000000'),
    409: await api('POST', `${sessions}/${session.id}/expire`),
    429: await eventually('the burst is spent', async () => {
      const answer = await apiOf(url, key)('GET', '/v1/payments');
      return answer.status === 429 && answer;
    }),
  };
  for (const [status, answer] of Object.entries(answers)) {
    assert.equal(answer.status, Number(status));
    assertFields(answer.body, { error: answer.body.error });
    const { param: _, ...error } = answer.body.error;
    assertFields(error, { message: /./, code: /^[A-Z_]+$/, requestId: /./ });
    assert.match(answer.headers.get('content-type')!, /^application\/json/);
  }
  assert.equal(answers[404].body.error.code, 'NOT_FOUND');
});

test('accepts keys of both modes, and nothing with another prefix', async (context) => {
  const { url, database, key } = await testGateway(context);
  const live = await testKey(database, 'live');
  assert.match(key, /^sk_test_/);
  assert.match(live, /^sk_live_/);
  for (const valid of [key, live]) {
    assert.equal((await apiOf(url, valid)('GET', '/v1/payments')).status, 200);
  }
  for (const wrong of ['', key.replace('sk_', 'pk_'), key.replace('test', 'prod'), `${key}x`]) {
    assert.equal((await apiOf(url, wrong)('GET', '/v1/payments')).status, 401, wrong);
  }
});

test('starts all paths with /v1, and has version 1.0.0 and the statuses of the contract in its description', async () => {
  const { api, url } = await sharedGateway();
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape.
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as any;
  assert.equal(document.info.version, '1.0.0');
  for (const path of Object.keys(document.paths)) assert.match(path, /^\/v1\//);
  assert.equal((await api('GET', '/payments')).status, 404);
  const { schemas } = document.components;
  assert.deepEqual(schemas.PaymentStatus.enum, [
    'CREATED',
    'OPERATOR_PENDING',
    'USER_CONFIRMING',
    'DEBITED',
    'SETTLED',
    'FAILED',
    'EXPIRED',
    'REFUNDED',
    'PARTIALLY_REFUNDED',
    'CANCELLED',
  ]);
  assert.deepEqual(schemas.CheckoutSessionStatus.enum, ['OPEN', 'COMPLETED', 'EXPIRED']);
});
