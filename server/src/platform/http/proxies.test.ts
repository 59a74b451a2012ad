import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { watchForProxies } from './proxies.ts';

/** An application that receives requests, and the proxies that it detected. */
function watched(trustProxy: string[] = []) {
  const noticed: string[] = [];
  const app = fastify();
  app.get('/', () => 'ok');
  const watch = watchForProxies({
    trustProxy,
    onUntrusted: (peer) => noticed.push(`untrusted ${peer}`),
    onProxied: () => noticed.push('proxied'),
  });
  app.addHook('onRequest', watch.onRequest);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization === 'Bearer valid') request.principal = {} as never;
    done();
  });
  app.addHook('preHandler', watch.preHandler);
  const send = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
    await app.inject({ url: '/', headers: { host: 'localhost:3000', ...headers }, remoteAddress });
  };
  const ask = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    send({ authorization: 'Bearer valid', ...headers }, remoteAddress);
  return { noticed, ask, send };
}

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

test('reports an untrusted proxy once', async () => {
  const { noticed, ask } = watched(['10.0.0.0/8']);
  await ask(forwarded, '10.1.2.3');
  assert.deepEqual(noticed, ['proxied']);
  await ask(forwarded, '::ffff:10.1.2.3');
  await ask(forwarded, '192.0.2.1');
  await ask(forwarded, '192.0.2.2');
  assert.deepEqual(noticed, ['proxied', 'untrusted 192.0.2.1']);
});

test('does not take requests from this machine for a proxy', async () => {
  const { noticed, ask } = watched();
  const hosts = ['localhost', '127.0.0.1:3000', '[::1]:3000', '127.9.9.9'];
  for (const host of hosts) await ask({ host });
  assert.deepEqual(noticed, []);
});

for (const headers of [
  { host: 'pay.example.cv' },
  { host: '203.0.113.9:3000' },
  { forwarded: 'for=203.0.113.7' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '203.0.113.7' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'pay.example.cv' },
] as Record<string, string>[]) {
  test(`${JSON.stringify(headers)} reveals requests from outside this machine`, async () => {
    const { noticed, ask } = watched();
    await ask();
    await ask(headers);
    await ask(headers);
    assert.deepEqual(noticed, ['proxied']);
  });
}

test('ignores a foreign page in a browser on this machine', async () => {
  const { noticed, ask, send } = watched();
  const rebound = { host: 'rebound.evil.example:3000' };
  await send(rebound);
  await send({ ...rebound, 'x-forwarded-host': 'pay.example.cv', via: '1.1 proxy' });
  await ask({ ...rebound, authorization: 'Bearer guessed' });
  assert.deepEqual(noticed, []);
  await ask(rebound);
  assert.deepEqual(noticed, ['proxied']);
});
