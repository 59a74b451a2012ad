import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiOf, eventually, testGateway, testKey } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912159' };
const events = ['payment.created'];

test('changes the given fields, and keeps the others', async (context) => {
  const { api, database } = await testGateway(context);
  const given = { url: 'http://localhost:9/x', events, description: 'o'.repeat(5_000) };
  const { body: created } = await api('POST', '/v1/webhooks', given);
  const { secret, ...shown } = created;
  assert.ok(secret);
  const patch = (change: object) => api('PATCH', `/v1/webhooks/${created.id}`, change);
  for (const field of ['url', 'events', 'status']) {
    assert.equal((await patch({ [field]: null })).status, 400, field);
  }
  assert.deepEqual((await patch({})).body, shown, 'nothing given, nothing changed');
  const changes: [object, object][] = [
    [{ description: 'a'.repeat(5_000) }, { description: 'a'.repeat(5_000) }],
    [{ url: 'http://localhost:9/y' }, { url: 'http://localhost:9/y' }],
    [{ events: ['payment.failed', 'payment.failed'] }, { events: ['payment.failed'] }],
    [{ status: 'DISABLED' }, { status: 'DISABLED' }],
    [{ description: null }, { description: null }],
  ];
  let expected = shown;
  for (const [change, effect] of changes) {
    const { status, body } = await patch(change);
    assert.equal(status, 200);
    assert.ok(body.updatedAt >= expected.updatedAt);
    expected = { ...expected, ...effect, updatedAt: body.updatedAt };
    assert.deepEqual(body, expected);
    assert.deepEqual((await api('GET', `/v1/webhooks/${created.id}`)).body, expected);
  }
  assert.notEqual(expected.updatedAt, shown.updatedAt);
  const [row] = await database.query<{ version: number }>({
    text: 'SELECT version FROM webhook_endpoints',
  });
  assert.equal(row!.version, 1 + changes.length);
});

test('refuses a change by the same rules as a creation', async (context) => {
  const { api, url, database } = await testGateway(context);
  const { body } = await api('POST', '/v1/webhooks', { url: 'http://localhost:9/', events });
  const bad = [
    { url: 'ftp://shop.cv/' },
    { url: 'http://user@shop.cv/' },
    { url: 5 },
    { events: [] },
    { events: ['payment.paid'] },
    { status: 'PAUSED' },
    { description: 5 },
    { secret: 'whsec_mine' },
  ];
  for (const change of bad) {
    const { status, body: answer } = await api('PATCH', `/v1/webhooks/${body.id}`, change);
    assert.equal(status, 400, JSON.stringify(change));
    assert.ok(answer.error.message.includes(Object.keys(change)[0]!), answer.error.message);
  }
  const live = apiOf(url, await testKey(database, 'live'));
  const { body: own } = await live('POST', '/v1/webhooks', { url: 'https://shop.cv/', events });
  const change = { url: 'http://shop.cv/' };
  assert.equal((await live('PATCH', `/v1/webhooks/${own.id}`, change)).status, 400);
  assert.equal((await live('PATCH', `/v1/webhooks/${body.id}`, {})).status, 404);
  await api('DELETE', `/v1/webhooks/${body.id}`);
  assert.equal((await api('PATCH', `/v1/webhooks/${body.id}`, { events })).status, 404);
});

test('holds deliveries for a disabled endpoint until it is enabled, and makes no new ones', async (context) => {
  const { api, database } = await testGateway(context);
  const receiver = await testReceiver(context);
  receiver.answer = () => 500;
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const patch = (change: object) => api('PATCH', `/v1/webhooks/${endpoint.id}`, change);
  await api('POST', '/v1/payments', payment);
  await eventually('the first attempt fails', () => receiver.received.length > 0);
  await patch({ status: 'DISABLED' });
  await eventually('the delivery waits', async () => {
    const text = `SELECT FROM deliveries WHERE status = 'PENDING' AND due_at IS NULL`;
    return (await database.query({ text })).length === 1;
  });
  receiver.answer = () => 200;
  const refused = receiver.received.length;
  await api('POST', '/v1/payments', payment);
  assert.equal((await database.query({ text: 'SELECT FROM deliveries' })).length, 1);
  assert.equal(receiver.received.length, refused);
  assert.equal((await patch({ status: 'ACTIVE' })).body.status, 'ACTIVE');
  const arrived = (count: number) => receiver.received.length === refused + count;
  await eventually('the delivery that waited arrives', () => arrived(1));
  assert.deepEqual(receiver.received.at(-1)!.raw, receiver.received[0]!.raw);
  await api('POST', '/v1/payments', payment);
  await eventually('new events arrive again', () => arrived(2));
});

test('uses a new url from the next attempt on', async (context) => {
  const { api } = await sharedGateway();
  const old = await testReceiver(context);
  const renewed = await testReceiver(context);
  old.answer = () => 500;
  // Time to change the url before the second attempt.
  old.headers = { 'retry-after': '3' };
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: old.url, events });
  await api('POST', '/v1/payments', payment);
  await eventually('the first attempt fails', () => old.received.length === 1);
  await api('PATCH', `/v1/webhooks/${endpoint.id}`, { url: renewed.url });
  await eventually('the second goes to the new url', () => renewed.received.length === 1);
  assert.equal(old.received.length, 1);
  assert.deepEqual(renewed.received[0]!.raw, old.received[0]!.raw);
});

test('repeats the original answer for the same Idempotency-Key, whatever the endpoint has become', async () => {
  const { api } = await sharedGateway();
  const create = () =>
    api('POST', '/v1/webhooks', { url: 'http://localhost:9/', events }, { 'idempotency-key': 'a' });
  const original = await create();
  assert.equal(original.headers.get('idempotent-replayed'), null);
  await api('PATCH', `/v1/webhooks/${original.body.id}`, {
    status: 'DISABLED',
    url: 'http://localhost:9/other',
  });
  const repeated = await create();
  assert.equal(repeated.status, 200);
  assert.equal(repeated.text, original.text);
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
});

test('shows neither a replaced secret nor a deleted endpoint in a repeated creation', async () => {
  const { api } = await sharedGateway();
  const create = () =>
    api('POST', '/v1/webhooks', { url: 'http://localhost:9/', events }, { 'idempotency-key': 'a' });
  const { body: original } = await create();
  const { body: rotated } = await api('POST', `/v1/webhooks/${original.id}/rotate-secret`);
  const repeated = await create();
  assert.equal(repeated.status, 200);
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(repeated.body, (await api('GET', `/v1/webhooks/${original.id}`)).body);
  for (const { secret } of [original, rotated]) assert.ok(!repeated.text.includes(secret));
  await api('DELETE', `/v1/webhooks/${original.id}`);
  assert.equal((await create()).status, 404);
  const other = { url: 'http://localhost:10/', events };
  const { status } = await api('POST', '/v1/webhooks', other, { 'idempotency-key': 'a' });
  assert.equal(status, 409, 'the key stays used');
});
