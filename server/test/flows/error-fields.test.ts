/** The fields of an error besides its code: the refused field, and the request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 100, operator: 'MOCK', operatorPhone: '+2389912345' };
const item = { name: 'Pastel', quantity: 1, unitPrice: 100 };

test('names the refused field, parameter or header in an error, and its request', async (context) => {
  const { api } = await testGateway(context, { environment: { WEBHOOK_ENDPOINTS_PER_HOST: '1' } });
  const { body: made } = await api('POST', '/v1/payments', payment, { 'idempotency-key': 'a' });
  const hook = { url: 'https://shop.cv/hook', events: ['payment.created'] };
  await api('POST', '/v1/webhooks', hook);
  const unknownId = `${made.id.slice(0, -6)}000000`;
  const sent: [param: string | undefined, method: string, path: string, body?: object][] = [
    ['amount', 'POST', '/v1/payments', { ...payment, amount: 0 }],
    ['operator', 'POST', '/v1/payments', { amount: 1, operatorPhone: '+2389912345' }],
    ['operatorPhone', 'POST', '/v1/payments', { ...payment, operatorPhone: '12' }],
    ['ammount', 'POST', '/v1/payments', { ...payment, ammount: 1 }],
    ['metadata.a', 'POST', '/v1/payments', { ...payment, metadata: { a: '\0' } }],
    ['items[0].quantity', 'POST', '/v1/checkout/sessions', { items: [{ ...item, quantity: 0 }] }],
    ['items[1].name', 'POST', '/v1/checkout/sessions', { items: [item, { ...item, name: '' }] }],
    [
      'items[0].productId',
      'POST',
      '/v1/checkout/sessions',
      { items: [{ ...item, productId: 'pr_x' }] },
    ],
    ['returnUrl', 'POST', '/v1/checkout/sessions', { items: [item], returnUrl: 'javascript:x' }],
    ['paymentIntentId', 'POST', '/v1/refunds', { paymentIntentId: unknownId }],
    ['url', 'POST', '/v1/webhooks', hook],
    ['starting_after', 'GET', '/v1/payments?starting_after=x'],
    ['limit', 'GET', '/v1/payments?limit=0'],
    ['colour', 'GET', '/v1/payments?colour=red'],
    [undefined, 'POST', '/v1/payments', []],
    [undefined, 'GET', `/v1/payments/${unknownId}`],
  ];
  for (const [param, method, path, body] of sent) {
    const { status, body: answer, headers } = await api(method, path, body);
    const about = `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`;
    assert.ok(status >= 400, about);
    assert.equal(answer.error.param, param, about);
    assert.equal(answer.error.requestId, headers.get('x-request-id'), about);
    assert.deepEqual(Object.keys(answer.error).slice(0, 2), ['message', 'code'], about);
  }
  const other = { ...payment, amount: 5 };
  const { body: reused } = await api('POST', '/v1/payments', other, { 'idempotency-key': 'a' });
  assert.equal(reused.error.param, 'Idempotency-Key');
});

test('rejects a body with a duplicate key, and accepts a byte order mark', async () => {
  const { url, key } = await sharedGateway();
  const send = async (body: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const answer = await fetch(`${url}/v1/payments`, { method: 'POST', headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: errors and payments.
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const rest = '"operator":"MOCK","operatorPhone":"+2389912345"';
  for (const [twice, param] of [
    [`{"amount":100,"amount":1,${rest}}`, 'amount'],
    [`{"amount":100,"\\u0061mount":1,${rest}}`, 'amount'],
    [`{"amount":100,${rest},"metadata":{"a":{"b":1,"b":1}}}`, 'metadata.a.b'],
    [`{"amount":100,${rest},"metadata":{},"metadata":{}}`, 'metadata'],
  ] as const) {
    const { status, body } = await send(twice);
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'VALIDATION_ERROR', param]);
    assert.equal(body.error.message, `${param} must be given only once`);
  }
  assert.equal((await send(`\ufeff{"amount":100,${rest}}`)).status, 200);
  const form = new URLSearchParams({ amount: '100', operator: 'MOCK' }).toString();
  const wrongType = await send(form);
  assert.match(wrongType.body.error.message, /It looks like a form: send a JSON object/);
  const noType = await send(`{"amount":100,${rest}}`, 'application/x-www-form-urlencoded');
  assert.match(noType.body.error.message, /must be application\/json\. With curl, add -H/);
});

test('lists all problems of a request that breaks several rules, and none for one', async () => {
  const { url, key } = await sharedGateway();
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: an error.
    return ((await answer.json()) as any).error;
  };
  const wrong = { amount: 0, operator: 'MOCK', operatorPhone: '12', colour: 'red' };
  const several = await send('/v1/payments?size=1', wrong);
  const told = Object.fromEntries(several.details.map((each: object) => Object.values(each)));
  assert.deepEqual(Object.keys(told).sort(), ['amount', 'colour', 'operatorPhone', 'size']);
  assert.equal(told.amount, 'amount must be between 1 and 100000000');
  const [first] = several.details;
  assert.deepEqual([first.param, first.message], [several.param, several.message]);
  const one = await send('/v1/payments', { ...payment, amount: 0 });
  assert.deepEqual([one.param, 'details' in one], ['amount', false]);
  const nested = await send('/v1/checkout/sessions', {
    items: [
      { ...item, quantity: 0 },
      { ...item, quantity: undefined, name: '' },
    ],
  });
  assert.deepEqual(
    nested.details.map(({ param }: { param: string }) => param),
    ['items[0].quantity', 'items[1].quantity', 'items[1].name'],
  );
  const many = await send('/v1/checkout/sessions', { items: Array(50).fill({}) });
  assert.equal(many.details.length, 20);
  const large = await send('/v1/payments', { ...wrong, metadata: { a: 'x'.repeat(40_000) } });
  assert.equal(large.details, undefined);
});
