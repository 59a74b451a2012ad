import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { confirmPhone, openSession, pageOf, reachPayment } from './support/checkout.ts';
import { cleanUp } from './support/cleanup.ts';
import { type Answered, answerOf, ask, begin, proxies } from './support/deployed-proxies.ts';
import { eventually, testGateway } from './support/gateway.ts';
import { isPublic, routesOf } from './support/public-paths.ts';

const behindProxy = { TRUST_PROXY: '127.0.0.1' };

/** Paths to private routes that look public, and the other way round. */
const disguised = [
  '/v1/../metrics',
  '/v1/%2e%2e/metrics',
  '/v1/..%2fmetrics',
  '/v1/..;/metrics',
  '/v1//../../metrics',
  '/pay/live/../../openapi.json',
  '/operators/%2e%2e%2fdocs',
  '/v1/x/%2e%2e/%2e%2e/docs/start.js',
  '//metrics',
  '/./metrics',
  '/%6detrics',
  '/metrics/',
  '/metrics?/v1/',
  '/metrics%3f/../v1/payments',
  '/metrics/../v1/payments',
  '/docs/..%2fv1%2fpayments',
  '/openapi.json/%2e%2e/v1/payments',
  '/v1',
  '/pay',
  '/operators',
  '/V1/payments',
];

/** Headers from a stranger that only a proxy may set. */
const pretended = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'gopher',
  'x-client-certificate-sha256': 'ab'.repeat(32),
};

/** A server that reports its requests. */
async function listener(context: TestContext) {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** The proxy itself rejects the request, in the format of the API. */
function assertTooLarge({ status, text, ofGateway }: Answered): void {
  assert.equal(ofGateway, false);
  assert.equal(status, 400);
  assert.match(JSON.parse(text).error.message, /larger than 1 MiB/);
}

for (const { name, skip, start } of proxies) {
  test(`${name} passes only public paths`, { skip }, async (context) => {
    const gateway = await testGateway(context, { environment: behindProxy });
    const origin = await start(context, gateway.url);
    for (const pattern of await routesOf(gateway)) {
      const path = pattern.replace(/:\w+|\*/g, 'x');
      const { ofGateway, status } = await ask(origin, path);
      assert.equal(ofGateway, isPublic(path), `${path}: ${status}`);
      if (!ofGateway) assert.equal(status, 404, path);
    }
    for (const path of disguised) {
      const { status } = await ask(origin, path);
      assert.ok([400, 401, 404].includes(status), `${path}: ${status}`);
    }
    const headers = { authorization: `Bearer ${gateway.key}` };
    const answer = await ask(origin, '/v1/payments', { headers });
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['strict-transport-security']), /^max-age=31536000/);
    assert.doesNotMatch(String(answer.headers.server), /\d/, 'the version is not public');
  });

  test(`${name} identifies each customer by the real address`, {
    skip,
  }, async (context) => {
    const environment = { ...behindProxy, RATE_LIMIT_UNAUTHORIZED: '1/5' };
    const gateway = await testGateway(context, { environment });
    const origin = await start(context, gateway.url);
    const statuses: number[] = [];
    for (let number = 1; number <= 30; number++) {
      const headers = { 'x-forwarded-for': `203.0.113.${number}` };
      statuses.push((await ask(origin, '/v1/payments', { headers, from: '127.0.0.2' })).status);
    }
    assert.ok(
      statuses.includes(429),
      'a different claimed address each time is still one customer',
    );
    const another = await ask(origin, '/v1/payments', { from: '127.0.0.3' });
    assert.equal(another.status, 401);
  });

  test(`${name} drops headers that a stranger forged`, {
    skip,
  }, async (context) => {
    const { url, heard } = await listener(context);
    const origin = await start(context, url);
    const paths = ['/v1/payments', '/pay/x', '/pay/live/x', '/operators/x'];
    for (const path of paths) await ask(origin, path, { headers: pretended, from: '127.0.0.2' });
    assert.equal(heard.length, paths.length);
    for (const headers of heard) {
      assert.equal(headers['x-forwarded-for'], '127.0.0.2');
      assert.equal(headers['x-forwarded-proto'], new URL(origin).protocol.slice(0, -1));
      assert.ok(!headers['x-client-certificate-sha256'], 'no certificate was shown');
    }
  });

  test(`${name} lets the gateway reject a body, but rejects a far too large one`, {
    skip,
  }, async (context) => {
    const gateway = await testGateway(context, { environment: behindProxy });
    const origin = await start(context, gateway.url);
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
    };
    const post = { method: 'POST', headers };
    const large = await ask(origin, '/v1/payments', { ...post, body: Buffer.alloc(1_500_000, 32) });
    assert.equal(large.status, 400);
    assert.match(JSON.parse(large.text).error.message, /1 MiB/);
    const { url } = await listener(context);
    const toListener = await start(context, url);
    // As much as Caddy reads: a proxy that closes on a larger body may lose its own answer.
    const declared = { ...headers, 'content-length': '10000000' };
    const upload = begin(toListener, '/v1/payments', { method: 'POST', headers: declared });
    const answer = answerOf(upload);
    upload.write(Buffer.alloc(2_000_001, 32));
    assertTooLarge(await answer);
    upload.on('error', () => {}).destroy();
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    const body = Buffer.alloc(2_200_000, 32);
    const refused = await ask(toListener, '/v1/payments', { ...post, headers: chunked, body });
    assertTooLarge(refused);
  });

  test(`${name} passes live updates to an open page, for longer than a slow sender may take`, {
    skip,
  }, async (context) => {
    // One page, so that the next gets a place only after the first has closed.
    const environment = { ...behindProxy, PAGE_STREAMS: '1' };
    const gateway = await testGateway(context, { environment });
    const origin = await start(context, gateway.url, (file) =>
      file.replace('read_body 30s', 'read_body 1s').replace('body_timeout 30s', 'body_timeout 1s'),
    );
    const session = await openSession(gateway);
    const live = new URL(session.url).pathname.replace('/pay/', '/pay/live/');
    const stream = begin(origin, live);
    let told = '';
    stream.on('response', (response) => response.on('data', (part) => (told += String(part))));
    stream.end();
    await eventually('the page gets its current state', () => told.includes('data:'));
    assert.equal((await ask(origin, live)).status, 503);

    const slow = begin(origin, '/v1/payments', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        'content-type': 'application/json',
        'content-length': '100',
      },
    });
    slow.on('response', (response) => response.resume());
    const cutOff = new Promise((resolve) => slow.on('error', resolve).on('close', resolve));
    slow.write('{');
    await cutOff;
    const before = told;
    await pageOf(gateway, session).pay(confirmPhone);
    await reachPayment(gateway, session, 'USER_CONFIRMING');
    await eventually('the page gets a change', () => told !== before);

    stream.destroy();
    await eventually('a closed page frees its place', async () => {
      const next = begin(origin, live);
      next.end();
      const status = await new Promise((resolve) =>
        next.on('response', ({ statusCode }) => resolve(statusCode)),
      );
      next.destroy();
      return status === 200;
    });
  });
}
