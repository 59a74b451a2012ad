import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { apiOf, type TestGateway, testGateway, testKey } from '../support/gateway.ts';

const chunked = 'Transfer-Encoding: chunked';
/** Larger than any body that is too small to count. */
const announced = 96 * 1024;

/** Sends the head of a request, and the first byte of its body. */
async function begin(
  context: TestContext,
  { url }: TestGateway,
  { key, path, length }: { key: string; path: string; length: string },
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  context.after(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`];
  const lines = [...head, 'Content-Type: application/json', 'Connection: close', length];
  const first = length === chunked ? '1\r\n{\r\n' : '{';
  await new Promise((sent) => socket.write(`${lines.join('\r\n')}\r\n\r\n${first}`, sent));
  return socket;
}

test('delays no other tenant for bodies that arrive slowly, and answers those once they have', async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const { url, database } = gateway;
  const honestKey = await testKey(database);
  const honest = apiOf(url, honestKey);
  const session = (await gateway.api('POST', '/v1/checkout/sessions', { amount: 5 })).body.id;
  const expire = `/v1/checkout/sessions/${session}/expire`;
  const slow: Socket[] = [];
  for (const key of [gateway.key, await testKey(database)]) {
    const products = { key, path: '/v1/products' };
    for (let count = 0; count < 13; count++)
      slow.push(
        await begin(context, gateway, { ...products, length: `Content-Length: ${announced}` }),
      );
    for (let count = 0; count < 5; count++) {
      await begin(context, gateway, { ...products, length: chunked });
      await begin(context, gateway, { key, path: expire, length: 'Content-Length: 10' });
      await begin(context, gateway, { key, path: expire, length: chunked });
    }
  }
  assert.equal((await gateway.api('GET', '/v1/balance')).status, 200);
  for (const path of [
    '/v1/payments?limit=1',
    '/v1/webhooks',
    '/v1/checkout/sessions',
    '/v1/events',
  ])
    assert.equal((await honest('GET', path)).status, 200, path);
  const body = JSON.stringify({ name: 'Café', price: 100 });
  const inPieces = await fetch(`${url}/v1/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${honestKey}`, 'content-type': 'application/json' },
    body: new Blob([body.padEnd(announced)]).stream(),
    duplex: 'half',
  });
  assert.equal(inPieces.status, 200, 'a large body in pieces');
  const metadata = { note: 'x'.repeat(announced) };
  assert.equal(
    (await honest('POST', '/v1/products', { name: 'Café', price: 100, metadata })).status,
    400,
  );
  const [first] = slow;
  first!.write(body.slice(1).padEnd(announced - 1));
  assert.match(await text(first!), /^HTTP\/1\.1 200 /);
});
