import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Zimbo, type ZimboOptions } from './zimbo.ts';

const key = `sk_test_${'x'.repeat(32)}`;
const baseUrl = 'http://localhost:9';

test('rejects a malformed key or URL at once, without showing the key', () => {
  for (const wrong of ['', 'pk_test_abc', `${key}\n`, undefined as unknown as string]) {
    assert.throws(() => new Zimbo(wrong, { baseUrl }), /must begin with sk_test_ or sk_live_/);
  }
  assert.throws(
    () => new Zimbo('whsec_abc', { baseUrl }),
    ({ message }: Error) => !message.includes('abc'),
  );
  for (const wrong of ['', 'localhost', 'ftp://x', undefined as unknown as string]) {
    assert.throws(() => new Zimbo(key, { baseUrl: wrong }), /baseUrl must be the URL/);
  }
  for (const wrong of ['https://x.cv/v1', 'https://x.cv/v1/', 'https://x.cv?a', 'https://x.cv/#']) {
    assert.throws(() => new Zimbo(key, { baseUrl: wrong }), /baseUrl must end before/);
  }
});

test('never shows the key when the client is printed', () => {
  const zimbo = new Zimbo(key, { baseUrl });
  for (const shown of [inspect(zimbo, { depth: 9, showHidden: true }), JSON.stringify(zimbo)]) {
    assert.ok(!shown.includes(key));
  }
});

test('uses a custom fetch under baseUrl with its path, and retries a failure automatically', async () => {
  const asked: string[] = [];
  const fetchOfMine: typeof fetch = async (input) => {
    asked.push(input as string);
    if (asked.length === 1) throw new TypeError('fetch failed');
    return new Response('{"data":[]}');
  };
  const zimbo = new Zimbo(key, { baseUrl: 'https://pay.example.cv/gateway/', fetch: fetchOfMine });
  assert.deepEqual(await zimbo.balance.get(), { data: [] });
  assert.deepEqual(asked, Array(2).fill('https://pay.example.cv/gateway/v1/balance'));
});

test('names the package in requests, and shows every answer with its headers', async () => {
  const answers: string[] = [];
  const echo: typeof fetch = async (_, init) => {
    const agent = new Headers(init?.headers).get('user-agent');
    return Response.json({ data: [] }, { headers: { 'x-request-id': String(agent) } });
  };
  const onAnswer: ZimboOptions['onAnswer'] = ({ method, url, status, headers }) =>
    void answers.push(`${method} ${url} ${status} ${headers.get('x-request-id')}`);
  await new Zimbo(key, { baseUrl, fetch: echo, onAnswer }).balance.get();
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  );
  assert.deepEqual(answers, [`GET ${baseUrl}/v1/balance 200 zimbo-typescript/${version}`]);
});

test('refuses an idempotency key that no header can carry', async () => {
  const zimbo = new Zimbo(key, { baseUrl });
  const body = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  for (const idempotencyKey of ['', 'encomenda nº 7', 'a\nb', 'x'.repeat(256)]) {
    const created = zimbo.payments.create(body, { idempotencyKey });
    await assert.rejects(created, /idempotencyKey must have 1 to 255 printable ASCII characters/);
  }
});

test('sends no money without an idempotency key of the caller', async () => {
  const fetch = () => assert.fail('a request was sent');
  const zimbo = new Zimbo(key, { baseUrl, fetch });
  const row = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { disbursements } = zimbo;
  for (const given of [{}, { idempotencyKey: null }, { idempotencyKey: '' }]) {
    const keyless = given as unknown as { idempotencyKey: string };
    for (const call of [
      () => disbursements.create(row, keyless),
      () => disbursements.batches.create({ items: [row] }, keyless),
      () => disbursements.batches.retry('dib_1', keyless),
    ])
      await assert.rejects(call, /needs an idempotencyKey: choose one for each debt/);
  }
});

test('aborts a call that waits for its next attempt', async () => {
  const controller = new AbortController();
  const failing: typeof fetch = async () => {
    setImmediate(() => controller.abort(new Error('enough')));
    throw new TypeError('fetch failed');
  };
  const zimbo = new Zimbo(key, { baseUrl, fetch: failing });
  await assert.rejects(zimbo.balance.get({ signal: controller.signal }), /enough/);
});
