import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminKey } from '../support/admin.ts';
import { testCells } from '../support/cells.ts';
import { apiOf } from '../support/gateway.ts';

test('serves staff of all cells on the operations listener, and of none on the public one', async (context) => {
  const environment = { OPERATIONS_PORT: '0' };
  const { url, gateway, databases } = await testCells(context, ['north'], { environment });
  const own = await gateway.operations!.listen({ host: '127.0.0.1', port: 0 });
  const { key } = await adminKey({ database: databases.home! });
  const inNorth = { 'zimbo-cell': 'north' };
  const merchants = (at: string) =>
    apiOf(at, key)('GET', '/admin/v1/merchants', undefined, inNorth);
  const { status, body } = await merchants(own);
  assert.equal(status, 200);
  assert.equal(body.data.length, 1);
  assert.equal((await merchants(url)).status, 404);
});

test('ends live pages of a further cell when the gateway stops', async (context) => {
  const { url, gateway, zimbos } = await testCells(context, ['north']);
  const session = await zimbos.north!.checkout.sessions.create({ amount: 100_000 });
  const address = new URL(session.url).pathname.replace('/pay/', '/pay/live/');
  const page = await fetch(`${url}${address}`);
  assert.equal(page.status, 200);
  const ended = page.text().then(
    () => 'ended',
    () => 'broken off',
  );
  await gateway.stop();
  assert.equal(await ended, 'ended');
});
