import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { testGateway } from '../support/gateway.ts';

test('serves metrics and docs on the operations listener if configured, and nothing else there', async (context) => {
  const { url, gateway } = await testGateway(context, { environment: { OPERATIONS_PORT: '0' } });
  const own = await gateway.operations!.listen({ host: '127.0.0.1', port: 0 });
  const statusOf = async (place: string, path: string) =>
    (await fetch(place + path, { redirect: 'manual' })).status;
  for (const path of ['/metrics', '/docs', '/openapi.json', '/docs/scalar.js', '/']) {
    assert.equal(await statusOf(url, path), 404, `${path} for everybody`);
    assert.equal(await statusOf(own, path), path === '/' ? 302 : 200, path);
  }
  for (const path of ['/healthz', '/readyz']) {
    assert.deepEqual([await statusOf(url, path), await statusOf(own, path)], [200, 200], path);
  }
  assert.deepEqual(
    [await statusOf(own, '/v1/payments'), await statusOf(own, '/pay/x')],
    [404, 404],
  );
});

test('shares the bytes of a response among stalled readers', async (context) => {
  const { url } = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  await (
    await fetch(`${url}/docs/scalar.js`, { headers: { 'accept-encoding': 'identity' } })
  ).text();
  const heldBytes = () => {
    const { external, arrayBuffers } = process.memoryUsage();
    return external + arrayBuffers;
  };
  const before = heldBytes();
  // A reader that is too slow is cut off, so on a busy machine the peak differs from the final
  // amount.
  let most = before;
  const answered = Array.from({ length: 100 }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = request(`${url}/docs/scalar.js`, { agent: false }, (answer) => {
      answer.pause();
      most = Math.max(most, heldBytes());
      resolve();
    });
    context.after(() => asked.destroy());
    asked.on('error', () => {});
    asked.end();
    return promise;
  });
  await Promise.all(answered);
  const grown = most - before;
  assert.ok(grown < 100 * 1024 * 1024, `${Math.round(grown / 1e6)} MB more for 100 readers`);
});
