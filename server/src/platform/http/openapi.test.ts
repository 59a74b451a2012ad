import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startDemo } from '../../../test/support/demo-client.ts';

test('documents every route of /v1 with its permission and its errors', async (t) => {
  const webhooks = {
    'payment.created': { post: { responses: { 200: { description: 'Taken.' } } } },
  };
  const demo = await startDemo(t, { openApi: { webhooks } });
  const answer = await demo.send('GET', '/openapi.json', { headers: { authorization: '' } });
  const document = JSON.parse(answer.text);
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual([document.info.title, document.info.version], ['Zimbo', '1.0.0']);
  assert.deepEqual(document.servers, [{ url: 'https://pay.example/gateway' }]);
  assert.deepEqual(document.webhooks, webhooks);
  assert.ok(Object.keys(document.paths).every((path) => path.startsWith('/v1/')));
  const { post, get } = document.paths['/v1/orders'];
  assert.deepEqual([post.security, post['x-permission']], [[{ apiKey: [] }], 'payments:write']);
  assert.deepEqual(Object.keys(post.responses), ['200', '400', '401', '403', '409', '429', '500']);
  assert.deepEqual(Object.keys(get.responses), ['200', '400', '401', '403', '429', '500']);
  const { post: cancel } = document.paths['/v1/orders/{id}/cancel'];
  assert.deepEqual(Object.keys(cancel.responses), [
    '200',
    '400',
    '401',
    '403',
    '404',
    '429',
    '500',
  ]);
  assert.equal(cancel.requestBody, undefined);
  const { get: one } = document.paths['/v1/orders/{id}'];
  assert.deepEqual(Object.keys(one.responses), ['200', '400', '401', '403', '404', '429', '500']);
  const conflict = post.responses['409'].content['application/json'];
  assert.equal(conflict.examples.INVALID_STATE.value.error.code, 'INVALID_STATE');
  assert.deepEqual(conflict.schema, { $ref: '#/components/schemas/Error' });
  const parameters = get.parameters.map((p: { name: string; required: boolean }) => [
    p.name,
    p.required,
  ]);
  assert.deepEqual(parameters, [
    ['limit', false],
    ['starting_after', false],
    ['status', false],
  ]);
});

test('serves the docs from this server alone, and lets their page load nothing from elsewhere', async (t) => {
  const demo = await startDemo(t);
  const page = await demo.send('GET', '/docs');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /http|\*|script-src[^;]*unsafe/);
  assert.doesNotMatch(page.text, /https?:|\/\//);
  const scripts = [...page.text.matchAll(/src="([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(scripts, ['docs/scalar.js', 'docs/start.js']);
  const start = await demo.send('GET', '/docs/start.js');
  assert.match(start.text, /"withDefaultFonts":false.*"telemetry":false/);
  assert.match(start.text, /preferredSecurityScheme: 'apiKey'/);
  for (const encoding of ['gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const bundle = await demo.send('GET', '/docs/scalar.js', { headers });
    assert.equal(bundle.status, 200);
    assert.match(bundle.text, /createApiReference/);
  }
  const zipped = await demo.app.inject({
    url: '/docs/scalar.js',
    headers: { 'accept-encoding': 'gzip' },
  });
  assert.match(gunzipSync(zipped.rawPayload).toString(), /createApiReference/);
});

test('redirects the root and an extra slash to the docs, also behind a proxy that adds a path', async (t) => {
  const demo = await startDemo(t);
  const at = 'https://pay.example/gateway';
  for (const path of ['/', '/docs/']) {
    const { statusCode, headers } = await demo.app.inject(path);
    assert.equal(statusCode, 302, path);
    assert.equal(new URL(headers.location!, at + path).href, `${at}/docs`);
    assert.match((await demo.send('GET', path)).text, /<title>Zimbo API/);
  }
});

test('gives the demo key only to our own page on this machine, and never in a script', async (t) => {
  const key = 'sk_test_of_the_demo';
  const demo = await startDemo(t, { demoKey: async () => key });
  const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };
  const ask = (url: string, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    demo.app.inject({ url, headers: { host: 'localhost:3000', ...headers }, remoteAddress });
  for (const path of ['/docs', '/docs/start.js', '/docs/scalar.js', '/openapi.json']) {
    assert.doesNotMatch((await ask(path, own)).payload, /sk_test_of/, path);
  }
  const told = async (headers: Record<string, string>, remoteAddress?: string) => {
    const answer = await ask('/docs/key', headers, remoteAddress);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    return answer.json().key;
  };
  assert.equal(await told(own), key);
  assert.equal(await told({ ...own, host: '127.0.0.1:3000' }, '::ffff:127.0.0.1'), key);
  assert.equal(await told(own, '192.168.1.7'), null, 'a browser elsewhere');
  for (const headers of [
    {},
    { ...own, 'sec-fetch-site': 'cross-site' },
    // Another port of this machine.
    { ...own, 'sec-fetch-site': 'same-site' },
    { ...own, 'sec-fetch-site': 'none' },
    { ...own, 'sec-fetch-dest': 'script' },
    // A foreign page whose host name resolves to this machine.
    { ...own, host: 'evil.example:3000' },
    { ...own, 'x-forwarded-for': '198.51.100.1' },
    { ...own, forwarded: 'for=198.51.100.1' },
    { ...own, via: '1.1 proxy' },
  ]) {
    assert.equal(await told(headers), null, JSON.stringify(headers));
  }
});
