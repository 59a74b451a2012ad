/** The health checks of a gateway whose database has no space left. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { adminKey } from '../support/admin.ts';
import { okPhone } from '../support/checkout.ts';
import { skipOnCitus } from '../support/citus.ts';
import { testConsole } from '../support/console.ts';
import { apiOf, eventually, processCount, testGateway } from '../support/gateway.ts';

const payment = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' };
const skip = skipOnCitus('triggers') || (processCount > 1 && 'each process finds out by itself');
const refuse = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER refuse BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION refuse()`;

test('reports failing writes in its health checks, and still serves reads', {
  skip,
}, async (context) => {
  const { api, url, database } = await testGateway(context);
  const key = { 'idempotency-key': 'order 1' };
  const product = { name: 'Tea', price: 100, currency: 'CVE' };
  assert.equal((await api('POST', '/v1/products', product, key)).status, 200);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  for (const text of refuse.split(';\n')) await database.query({ text });
  for (let failures = 0; failures < 3; failures++) {
    const { status, body } = await api('POST', '/v1/payments', payment);
    assert.deepEqual([status, body.error.code], [500, 'UNAVAILABLE']);
  }
  const no = await fetch(`${url}/readyz`);
  assert.deepEqual([no.status, await no.json()], [503, { status: 'writes fail' }]);
  assert.equal((await fetch(`${url}/readyz?reads=1`)).status, 200);
  assert.equal((await api('GET', '/v1/payments')).status, 200);
  assert.equal((await fetch(`${url}/healthz`, { method: 'HEAD' })).status, 200);
  assert.equal((await api('POST', '/v1/products', product, key)).status, 200);
  assert.equal((await fetch(`${url}/readyz`)).status, 503, 'none of these has written');
  await database.query({ text: 'DROP TRIGGER refuse ON payments' });
  assert.equal((await api('POST', '/v1/payments', payment)).status, 200);
  await eventually('it is ready again', async () => (await fetch(`${url}/readyz`)).ok);
});

test('counts failed writes of the console, and of staff on a listener of their own, too', {
  skip,
}, async (context) => {
  const site = await testConsole(context, { environment: { OPERATIONS_PORT: '0' } });
  const { url, gateway, database } = site.gateway;
  const own = await gateway.operations!.listen({ host: '127.0.0.1', port: 0 });
  const staff = apiOf(own, (await adminKey({ database })).key);
  const member = await site.signIn('OWNER');
  for (const text of refuse.split(';\n')) await database.query({ text });
  const text =
    'CREATE TRIGGER refuse BEFORE INSERT ON merchants FOR EACH ROW EXECUTE FUNCTION refuse()';
  await database.query({ text });
  const sale = { action: 'charge', currency: 'CVE', amount: '1', country: '238', phone: okPhone };
  for (let failures = 0; failures < 2; failures++) {
    const form = { ...sale, key: randomUUID(), operator: 'MOCK' };
    assert.equal((await member.send('charge', form)).status, 500);
  }
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.equal((await staff('POST', '/admin/v1/merchants', { name: 'Loja' })).status, 500);
  assert.equal((await fetch(`${url}/readyz`)).status, 503);
});
