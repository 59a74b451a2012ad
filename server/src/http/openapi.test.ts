import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startDemo } from '../../test/support/demo-client.ts';

test('the OpenAPI document has every route of /v1, its permission and its errors', async (t) => {
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
  assert.deepEqual(post.security, [{ apiKey: ['payments:write'] }]);
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

test('the docs come from this server alone, and their page may load from nowhere else', async (t) => {
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
  assert.match(start.text, /"preferredSecurityScheme":"apiKey"/);
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

test('the root leads to the docs, and so does a slash too many, behind a proxy that adds a path too', async (t) => {
  const demo = await startDemo(t);
  const at = 'https://pay.example/gateway';
  for (const path of ['/', '/docs/']) {
    const { statusCode, headers } = await demo.app.inject(path);
    assert.equal(statusCode, 302, path);
    assert.equal(new URL(headers.location!, at + path).href, `${at}/docs`);
    assert.match((await demo.send('GET', path)).text, /<title>Zimbo API/);
  }
});

test('the key of the demo is in the docs for a browser on this machine, under a name of this machine', async (t) => {
  const key = 'sk_test_of_the_demo';
  const demo = await startDemo(t, { demoKey: async () => key });
  const told = async (host: string, remoteAddress: string) => {
    const answer = await demo.app.inject({
      url: '/docs/start.js',
      headers: { host },
      remoteAddress,
    });
    assert.equal(answer.headers['cache-control'], 'no-store');
    return answer.payload.includes(`"token":"${key}"`);
  };
  assert.equal(await told('localhost:3000', '127.0.0.1'), true);
  assert.equal(await told('127.0.0.1:3000', '127.0.0.1'), true);
  assert.equal(await told('localhost:3000', '192.168.1.7'), false);
  // A page of elsewhere, whose name was made to lead here.
  assert.equal(await told('evil.example:3000', '127.0.0.1'), false);
});
