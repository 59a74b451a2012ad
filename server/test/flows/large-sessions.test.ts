import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseId } from '../../src/platform/values/ids.ts';
import { findStoredSession, storedPieces } from '../../src/storefront/checkout/read-session.ts';
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

/** Larger than one read, with characters of one to four bytes at any boundary. */
const cart = {
  items: Array.from({ length: 950 }, (_, index) => ({
    name: `${index} Praça 🐚 ${'ç'.repeat(index % 3)}${'x'.repeat(200 + (index % 5))}`,
    description: 'não €'.repeat(60),
    quantity: 1,
    unitPrice: 1,
  })),
};
const environment = { ZIMBO_ROLE: 'api' };

async function created({ api }: TestGateway) {
  const { status, text, body } = await api('POST', '/v1/checkout/sessions', cart);
  assert.equal(status, 200, body.error?.message);
  assert.ok(Buffer.byteLength(text) > 700_000);
  return { id: body.id as string, text, body };
}

test('shows and lists a large session as it was created, byte for byte', async (context) => {
  const gateway = await testGateway(context, { environment });
  const { id, text } = await created(gateway);
  assert.equal((await gateway.api('GET', `/v1/checkout/sessions/${id}`)).text, text);
  const page = await gateway.api('GET', '/v1/checkout/sessions');
  assert.equal(page.text, `{"data":[${text}],"hasMore":false}`);
});

test("sends the event of a large session's end with all items, in the list and to the receiver", async (context) => {
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'all' } });
  const receiver = await testReceiver(context);
  await gateway.api('POST', '/v1/webhooks', { url: receiver.url, events: ['checkout.expired'] });
  const { id, body } = await created(gateway);
  await gateway.database.query({ text: 'UPDATE checkout_sessions SET due_at = now()' });
  await eventually('it is told', () => receiver.received.length > 0);
  const told = receiver.received[0]!.event;
  assert.equal(told.type, 'checkout.expired');
  const shown = await gateway.api('GET', `/v1/checkout/sessions/${id}`);
  assert.deepEqual(told.data, shown.body);
  assert.deepEqual(told.data.items, body.items);
  const { body: events } = await gateway.api('GET', `/v1/events/${told.id}`);
  assert.deepEqual(events, told);
});

test('fails when a large session disappears during a read, rather than return a part', async (context) => {
  const gateway = await testGateway(context, { environment });
  const { id } = await created(gateway);
  const { database } = gateway;
  const [tenant] = await database.query<{ id: string }>({
    text: 'SELECT tenant_id AS id FROM checkout_sessions',
  });
  const session = await findStoredSession(database, tenant!.id, parseId('cs', id)!);
  const [, items] = storedPieces({ database, publicUrl: gateway.url }, session!);
  assert.ok(typeof items === 'object');
  const slices = items.read()[Symbol.asyncIterator]();
  assert.equal((await slices.next()).done, false);
  await database.query({ text: 'DELETE FROM checkout_sessions' });
  await assert.rejects(slices.next(), /changed under its reader/);
});
