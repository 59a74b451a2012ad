import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, json, startDemo } from '../../../test/support/demo-client.ts';
import {
  brokenKey,
  demoServer,
  elsewhereKey,
  faultyKey,
  fullKey,
  lookUps,
  readKey,
  shortKey,
  unknownKey,
} from '../../../test/support/demo-server.ts';
import { Type } from './type.ts';

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

test('answers any request under /v1 without a valid key with 401, before all other checks', async (t) => {
  const demo = await startDemo(t);
  const requests: [method: string, path: string, body?: string][] = [
    ['GET', '/v1/orders'],
    ['POST', '/v1/orders', '{{{'],
    ['POST', '/v1/orders', '['.repeat(100_000)],
    ['GET', '/v1/orders?limit=abc'],
    ['GET', '/v1/orders/%zz'],
    ['GET', `/v1/orders/${'x'.repeat(300)}`],
    ['GET', `/v1/${'x'.repeat(6000)}`],
    ['GET', '/v1/broken'],
    ['GET', '/v1/nope'],
    ['GET', '/v1'],
    ['PUT', '/v1/orders'],
    ['OPTIONS', '/v1/orders'],
    ['PROPFIND', '/v1/nope'],
  ];
  for (const [method, path, body] of requests) {
    for (const authorization of ['', `Bearer ${unknownKey}`]) {
      const headers = { ...json, authorization };
      const answer = await demo.send(method, path, { headers, ...(body && { body }) });
      assertError(answer, 'UNAUTHORIZED');
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      assert.equal(answer.headers.get('ratelimit'), null);
    }
  }
});

test('refuses a malformed key without a look-up', async (t) => {
  const demo = await startDemo(t);
  const secret = fullKey.slice(8);
  const malformed = [
    `Basic ${fullKey}`,
    fullKey,
    'Bearer',
    `Bearer${fullKey}`,
    `Bearer ${fullKey}a`,
    `Bearer ${fullKey.slice(0, -1)}`,
    `Bearer sk_none_${secret}`,
    `Bearer SK_TEST_${secret}`,
    `Bearer ${fullKey.slice(0, -1)}-`,
    `Bearer ${fullKey}, Bearer ${fullKey}`,
  ];
  const before = [...lookUps.values()].reduce((sum, count) => sum + count, 0);
  for (const authorization of malformed) {
    assertError(
      await demo.send('GET', '/v1/orders', { headers: { authorization } }),
      'UNAUTHORIZED',
    );
  }
  const after = [...lookUps.values()].reduce((sum, count) => sum + count, 0);
  assert.equal(after, before);
});

test('matches the scheme case-insensitively', async (t) => {
  const demo = await startDemo(t);
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    const headers = { authorization: `${scheme} ${fullKey}` };
    assert.equal((await demo.send('GET', '/v1/orders', { headers })).status, 200, scheme);
  }
});

test('answers a missing permission with 403, before a 400 or 404 of the resource', async (t) => {
  const demo = await startDemo(t);
  const headers = { ...json, ...withKey(readKey) };
  assert.equal((await demo.send('GET', '/v1/orders', { headers })).status, 200);
  assert.equal((await demo.send('HEAD', '/v1/orders', { headers })).status, 200);
  for (const body of ['{"amount":1}', '{{{', '{"amount":"x"}']) {
    const message = assertError(
      await demo.send('POST', '/v1/orders', { headers, body }),
      'FORBIDDEN',
    );
    assert.match(message, /payments:write/);
  }
  assertError(await demo.send('POST', '/v1/orders/x/cancel?foo=1', { headers }), 'FORBIDDEN');
  assertError(await demo.send('GET', '/v1/refused', { headers }), 'FORBIDDEN');
  assertError(await demo.send('GET', '/v1/nope', { headers }), 'NOT_FOUND');
});

test('answers a failed look-up with 500 without detail', async (t) => {
  const demo = await startDemo(t);
  const answer = await demo.send('GET', '/v1/orders', { headers: withKey(brokenKey) });
  assert.doesNotMatch(assertError(answer, 'INTERNAL_ERROR'), /secret/);
});

test('answers a request over the limit of its tenant with 429, after 401 and before all other errors', async (t) => {
  let nowMs = 1_000_000;
  const tenant = { perSecond: 2, burst: 3 };
  const unauthenticated = { perSecond: 1, burst: 100 };
  const demo = await startDemo(t, { rateLimits: { tenant, unauthenticated }, nowMs: () => nowMs });
  const send = (path: string, key = fullKey) => demo.send('GET', path, { headers: withKey(key) });
  for (const [left, full] of [
    [2, 1],
    [1, 1],
    [0, 2],
  ]) {
    const answer = await send('/v1/orders');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=3;w=2');
    assert.equal(answer.headers.get('ratelimit'), `"default";r=${left};t=${full}`);
  }
  for (const path of ['/v1/orders', '/v1/nope', '/v1/orders/%zz', '/v1/orders?limit=x']) {
    const answer = await send(path);
    assertError(answer, 'RATE_LIMITED');
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal(answer.headers.get('ratelimit'), '"default";r=0;t=2');
  }
  assertError(await send('/v1/orders', unknownKey), 'UNAUTHORIZED');
  assert.equal((await send('/v1/orders', readKey)).status, 200, 'gives each tenant its own bucket');
  nowMs += 500;
  assert.equal((await send('/v1/orders')).status, 200);
  assertError(await send('/v1/orders'), 'RATE_LIMITED');
});

test('answers too many failures from an address with 429, but accepts a valid key', async (t) => {
  const tenant = { perSecond: 1000, burst: 1000 };
  const unauthenticated = { perSecond: 0.1, burst: 2 };
  const demo = await startDemo(t, { rateLimits: { tenant, unauthenticated }, nowMs: () => 0 });
  const headers = { authorization: '' };
  assertError(await demo.send('GET', '/v1/orders', { headers }), 'UNAUTHORIZED');
  assertError(await demo.send('GET', '/v1/x', { headers: withKey(unknownKey) }), 'UNAUTHORIZED');
  const answer = await demo.send('GET', '/v1/orders', { headers });
  assertError(answer, 'RATE_LIMITED');
  assert.equal(answer.headers.get('retry-after'), '10');
  assert.equal((await demo.send('GET', '/v1/orders')).status, 200);
});

test('does not look up an unknown key once the bucket of its address is empty', async (t) => {
  const tenant = { perSecond: 1000, burst: 1000 };
  const unauthenticated = { perSecond: 1, burst: 3 };
  let nowMs = 0;
  const demo = await startDemo(t, { rateLimits: { tenant, unauthenticated }, nowMs: () => nowMs });
  const guesses = Array.from(
    { length: 10 },
    (_, guess) => `sk_live_${String(guess).padEnd(32, 'x')}`,
  );
  const guess = (key: string) => demo.send('GET', '/v1/orders', { headers: withKey(key) });
  const answers = await Promise.all(guesses.map(guess));
  assert.equal(answers.filter(({ status }) => status === 429).length, 7);
  assert.equal(guesses.filter((key) => lookUps.has(key)).length, 3);
  nowMs += 1_000;
  assertError(await guess(guesses.find((key) => !lookUps.has(key))!), 'UNAUTHORIZED');
  assert.equal(guesses.filter((key) => lookUps.has(key)).length, 4);
});

test('does not count a failed look-up against its address', async (t) => {
  const tenant = { perSecond: 1000, burst: 1000 };
  const unauthenticated = { perSecond: 1, burst: 1 };
  const demo = await startDemo(t, { rateLimits: { tenant, unauthenticated }, nowMs: () => 0 });
  for (let time = 0; time < 3; time++) {
    const answer = await demo.send('GET', '/v1/orders', { headers: withKey(brokenKey) });
    assertError(answer, 'INTERNAL_ERROR');
  }
});

test('answers a failure after the look-up like a failure during it', async (t) => {
  const demo = await startDemo(t);
  // The framework refuses the second request because of its path.
  for (const path of ['/v1/orders', '/v1/orders/%zz']) {
    const answer = await demo.send('GET', path, { headers: withKey(faultyKey) });
    assertError(answer, 'INTERNAL_ERROR');
  }
  assert.equal((await demo.send('GET', '/v1/orders')).status, 200);
});

test('sends no rate-limit headers without rate limits', async (t) => {
  const demo = await startDemo(t, { rateLimits: 'off' });
  const answer = await demo.send('GET', '/v1/orders');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('ratelimit'), null);
});

test('refuses to start with a /v1 route that names no permission', async () => {
  const withRoute = () =>
    demoServer({
      more: (scope) => {
        scope.get('/open', { schema: { response: { 200: Type.Null() } } }, () => null);
      },
    });
  await assert.rejects(async () => withRoute().ready(), /GET \/v1\/open names no permission/);
});

test('accepts a key until it expires, then answers 401', async (t) => {
  let nowMs = 1_999_999;
  const demo = await startDemo(t, { nowMs: () => nowMs });
  const headers = withKey(shortKey);
  assert.equal((await demo.send('GET', '/v1/orders', { headers })).status, 200);
  nowMs += 1;
  const answer = await demo.send('GET', '/v1/orders', { headers });
  assert.match(assertError(answer, 'UNAUTHORIZED'), /expired/);
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
});

test('answers a key from a forbidden address with 403 first, and does not count it against its tenant', async (t) => {
  const rateLimits = {
    tenant: { perSecond: 0.1, burst: 1 },
    unauthenticated: { perSecond: 0.1, burst: 5 },
  };
  const demo = await startDemo(t, { rateLimits, nowMs: () => 0 });
  const headers = withKey(elsewhereKey);
  for (const path of ['/v1/orders', '/v1/nope', '/v1/orders/%zz', '/v1/orders?limit=x']) {
    const answer = await demo.send('GET', path, { headers });
    assertError(answer, 'ADDRESS_NOT_ALLOWED');
    assert.equal(answer.headers.get('www-authenticate'), null);
  }
  assert.equal((await demo.send('GET', '/v1/orders', { headers: withKey(fullKey) })).status, 200);
  assertError(await demo.send('POST', '/v1/orders', { headers }), 'ADDRESS_NOT_ALLOWED');
  assertError(await demo.send('GET', '/v1/orders', { headers }), 'RATE_LIMITED');
});
