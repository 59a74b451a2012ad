import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import type { HttpScope } from '../../../platform/http/server.ts';
import { pageAssets } from './assets.ts';
import { pageScope } from './routes.ts';

test('closes the connection of a page that its reader leaves unread', async (context) => {
  const app = fastify() as unknown as HttpScope;
  context.after(() => app.close());
  const notFoundIn = () => ({ title: '', advice: '' });
  pageScope(app, { assets: pageAssets, notFoundIn }, (scope) => {
    scope.get('/pay', (_request, reply) => reply.send('x'.repeat(50_000_000)));
  });
  await app.listen();
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const sent = once(app.server, 'request');
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  context.after(() => socket.destroy());
  socket.on('error', () => {});
  socket.write('GET /pay HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = await sent;
  const ended = once(response, 'close');
  while (response.writableLength === 0) await new Promise(setImmediate);
  context.mock.timers.tick(1_000_000);
  await ended;
  assert.equal(response.writableFinished, false);
});
