import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listen } from '../../../test/support/webhook-receiver.ts';
import {
  type ConnectorOptions,
  ConnectTimeoutError,
  createConnector,
  ForbiddenAddressError,
} from './connector.ts';

function connectTo(
  t: TestContext,
  options: Partial<ConnectorOptions> & Pick<ConnectorOptions, 'lookup'>,
) {
  const connector = createConnector({ timeoutMs: 2000, isAllowed: () => true, ...options });
  return (port: number, protocol = 'http:') =>
    new Promise<string | undefined>((resolve, reject) => {
      const target = { hostname: 'shop.example', host: `shop.example:${port}`, protocol };
      connector({ ...target, port: String(port) }, (...[error, socket]) => {
        if (error) return reject(error);
        t.after(() => socket.destroy());
        resolve(socket.remoteAddress);
      });
    });
}

test('does not resolve a name again after the check, so rebinding has no effect', async (t) => {
  const receiver = await listen(t, createServer());
  let lookups = 0;
  const connect = connectTo(t, {
    isAllowed: (address) => address === '127.0.0.1',
    lookup: async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '::1' }];
    },
  });
  assert.equal(await connect(receiver.port), '127.0.0.1');
  assert.equal(lookups, 1);
  await assert.rejects(connect(receiver.port), ForbiddenAddressError);
});

test('dials none of the addresses if one of them is forbidden', async (t) => {
  const receiver = await listen(t, createServer());
  const connect = connectTo(t, {
    isAllowed: (address) => address === '127.0.0.1',
    lookup: async () => [{ address: '127.0.0.1' }, { address: '::1' }],
  });
  await assert.rejects(connect(receiver.port), ForbiddenAddressError);
  assert.equal(receiver.connections(), 0);
});

test('refuses a name without addresses', async (t) => {
  await assert.rejects(connectTo(t, { lookup: async () => [] })(1), ForbiddenAddressError);
});

test('dials the addresses in turn until one answers', async (t) => {
  const receiver = await listen(t, createServer());
  const lookup = async () => [{ address: '::1' }, { address: '127.0.0.1' }];
  assert.equal(await connectTo(t, { lookup })(receiver.port), '127.0.0.1');
});

test('leaves time for the next address if one never answers', async (t) => {
  const silent = await listen(t, createServer());
  const lookup = async () => [{ address: '127.0.0.1' }, { address: '127.0.0.1' }];
  const connect = connectTo(t, { lookup, timeoutMs: 300 });
  await assert.rejects(connect(silent.port, 'https:'), ConnectTimeoutError);
  assert.equal(silent.connections(), 2);
});

test('passes a failed look-up to the caller', async (t) => {
  const notFound = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  const connect = connectTo(t, { lookup: () => Promise.reject(notFound) });
  await assert.rejects(connect(1), notFound);
});
