import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../server/test/support/cleanup.ts';
import { Transport } from './transport.ts';

interface Heard {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answerer = (response: ServerResponse, index: number) => void;

/** A server with scripted answers, and a client that does not wait between attempts. */
async function fixture(context: TestContext, answer: Answerer, { timeoutMs = 10_000 } = {}) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      heard.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      answer(response, heard.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  const gapsMs: number[] = [];
  let keys = 0;
  const transport = new Transport({
    apiKey: 'sk_test_x',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway`,
    timeoutMs,
    maxRetries: 3,
    fetch,
    random: () => 0,
    newIdempotencyKey: () => `made-${++keys}`,
    wait: async (gapMs) => {
      gapsMs.push(gapMs);
    },
  });
  return { transport, heard, gapsMs };
}

const ok = (response: ServerResponse) => response.end('{"id":"pi_1"}');
const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answerer =>
  (response) =>
    response.writeHead(code, headers).end(body);
const drop: Answerer = (response) => response.destroy();
const dropBody: Answerer = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};
const inTurn =
  (...answers: Answerer[]): Answerer =>
  (response, index) =>
    (answers[index] ?? ok)(response, index);

const body = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
const path = { id: 'pi_1' };

test('keeps the idempotency key of a create over all retries, and makes a new one for each call', async (context) => {
  const answers = inTurn(drop, dropBody, status(500));
  const { transport, heard, gapsMs } = await fixture(context, answers);
  assert.deepEqual(await transport.call('createPayment', { body }), { id: 'pi_1' });
  assert.deepEqual(
    heard.map(({ headers }) => headers['idempotency-key']),
    ['made-1', 'made-1', 'made-1', 'made-1'],
  );
  for (const { line, headers, body: sent } of heard) {
    assert.equal(line, 'POST /gateway/v1/payments');
    assert.equal(headers.authorization, 'Bearer sk_test_x');
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(sent), body);
  }
  assert.deepEqual(gapsMs, [500, 1_000, 2_000]);
  await transport.call('createPayment', { body });
  await transport.call('createPayment', { body }, { idempotencyKey: 'order 7' });
  const [, , , , next, given] = heard.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual([next, given], ['made-2', 'order 7']);
});

test('sends a call that could take effect twice once, unless it exceeded the rate limit', async (context) => {
  for (const failure of [drop, status(500)]) {
    const { transport, heard } = await fixture(context, inTurn(failure));
    await assert.rejects(transport.call('deleteWebhookEndpoint', { path }));
    assert.equal(heard.length, 1);
    assert.equal(heard[0]!.headers['idempotency-key'], undefined);
    assert.equal(heard[0]!.headers['content-type'], undefined);
  }
  const limited = inTurn(status(429, { 'retry-after': '2' }));
  const { transport, gapsMs } = await fixture(context, limited);
  assert.deepEqual(await transport.call('deleteWebhookEndpoint', { path }), { id: 'pi_1' });
  assert.deepEqual(gapsMs, [2_500]);
});

test('repeats an action on an existing object under its own key', async (context) => {
  const { transport, heard } = await fixture(context, inTurn(drop));
  assert.deepEqual(await transport.call('cancelPayment', { path }), { id: 'pi_1' });
  const keys = heard.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(keys, ['made-1', 'made-1']);
});

test('repeats a call to a gateway that cannot write under the same key, after Retry-After', async (context) => {
  const text = '{"error":{"code":"UNAVAILABLE","message":"Not available at the moment."}}';
  const away = status(500, { 'retry-after': '1' }, text);
  const { transport, heard, gapsMs } = await fixture(context, inTurn(away, away));
  assert.deepEqual(await transport.call('createPayment', { body }), { id: 'pi_1' });
  assert.deepEqual(gapsMs, [1_500, 2_000]);
  const keys = heard.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(keys, ['made-1', 'made-1', 'made-1']);
});

test('throws the last failure after the last retry', async (context) => {
  const text = '{"error":{"code":"INTERNAL_ERROR","message":"Something went wrong."}}';
  const { transport, heard } = await fixture(context, status(500, { 'x-request-id': 'r' }, text));
  const error = { code: 'INTERNAL_ERROR', status: 500, requestId: 'r' };
  await assert.rejects(transport.call('getPayment', { path }), error);
  assert.equal(heard.length, 4);
  await assert.rejects(transport.call('getPayment', { path }, { maxRetries: 0 }), error);
  assert.equal(heard.length, 5);
  const created = transport.call('createPayment', { body }, { maxRetries: 0 });
  await assert.rejects(created, { idempotencyKey: 'made-1' });
});

test('distinguishes a timeout from a failed connection', async (context) => {
  const never: Answerer = () => {};
  const { transport, gapsMs } = await fixture(context, never, { timeoutMs: 50 });
  await assert.rejects(transport.call('getPayment', { path }), { code: 'TIMEOUT', status: null });
  assert.equal(gapsMs.length, 3);
  const gone = await fixture(context, drop);
  await assert.rejects(gone.transport.call('getPayment', { path }), {
    code: 'CONNECTION_FAILED',
    requestId: null,
  });
});

test('applies the timeout to the body of the answer', { timeout: 20_000 }, async (context) => {
  const stuck: Answerer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"id":');
  };
  // Long enough for the head of the answer to arrive first on a busy machine.
  const { transport } = await fixture(context, stuck, { timeoutMs: 1_000 });
  const call = transport.call('getPayment', { path }, { maxRetries: 0 });
  await assert.rejects(ended(call), { code: 'TIMEOUT' });
});

test("aborts by the caller's signal, and throws its reason", {
  timeout: 20_000,
}, async (context) => {
  const reason = new Error('the customer went away');
  const controller = new AbortController();
  const leave = () => controller.abort(reason);
  const { transport, heard } = await fixture(context, leave, { timeoutMs: 60_000 });
  const { signal } = controller;
  await assert.rejects(ended(transport.call('getPayment', { path }, { signal })), reason);
  await assert.rejects(ended(transport.call('getPayment', { path }, { signal })), reason);
  assert.equal(heard.length, 1);
});

test('follows no redirect', async (context) => {
  const { transport, heard } = await fixture(context, status(301, { location: '/elsewhere' }));
  const call = transport.call('createPayment', { body });
  await assert.rejects(call, { code: 'UNEXPECTED_ANSWER', status: 301 });
  assert.equal(heard.length, 1);
});

test('rejects an answer that is not JSON, and accepts one without a body', async (context) => {
  const { transport } = await fixture(context, inTurn(status(200, {}, '<html>'), status(204)));
  await assert.rejects(transport.call('getPayment', { path }), { code: 'UNEXPECTED_ANSWER' });
  assert.equal(await transport.call('deleteProduct', { path }), undefined);
});

test('rejects an id that would change the path', async (context) => {
  const { transport, heard } = await fixture(context, ok);
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    await assert.rejects(transport.call('getPayment', { path: { id } }), /must be an id/);
  }
  assert.equal(heard.length, 0);
  await transport.call('getPayment', { path: { id: '../products?x#y' } });
  assert.equal(heard[0]!.line, 'GET /gateway/v1/payments/..%2Fproducts%3Fx%23y');
});

test('writes filters as the API names them, and omits undefined ones', async (context) => {
  const page: Answerer = (response) => response.end('{"data":[],"hasMore":false}');
  const { transport, heard } = await fixture(context, page);
  const createdGte = '2026-11-21T00:00:00+01:00';
  const query = { customerId: 'a&b', createdGte, status: undefined, limit: 5 };
  await transport.list('listPayments', query).page();
  await transport.list('listProducts', { active: false } as object).page();
  const several = { status: ['DEBITED', 'SETTLED'], metadata: { table: '12', 'a b': 'ã' } };
  await transport.list('listPayments', several as object).page();
  assert.deepEqual(
    heard.map(({ line }) => line),
    [
      'GET /gateway/v1/payments?customer_id=a%26b&created_gte=2026-11-21T00%3A00%3A00%2B01%3A00&limit=5',
      'GET /gateway/v1/products?active=false',
      'GET /gateway/v1/payments?status=DEBITED%2CSETTLED&metadata%5Btable%5D=12&metadata%5Ba+b%5D=%C3%A3',
    ],
  );
});

/** The outcome of a call. A hanging call fails by assertion, not by the test's timeout. */
function ended<Result>(call: Promise<Result>): Promise<Result> {
  const hung = new Promise<never>((_, reject) => {
    const fail = () => reject(new assert.AssertionError({ message: 'the call hangs' }));
    setTimeout(fail, 15_000).unref();
  });
  return Promise.race([call, hung]);
}
