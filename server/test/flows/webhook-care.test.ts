import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sign } from '../../src/integrations/webhooks/signature.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912159' };
const events = ['payment.created'];

test('sends a test event to one endpoint, and shows the result in its delivery', async (context) => {
  const { api } = await sharedGateway();
  const receiver = await testReceiver(context);
  receiver.answer = () => 418;
  // No second attempt during the checks of the first.
  receiver.headers = { 'retry-after': '60' };
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const { body: sent } = await api('POST', `/v1/webhooks/${endpoint.id}/test`);
  assert.equal(sent.status, 'PENDING');
  assert.equal(sent.eventType, 'webhook.test');
  await eventually('it arrives', () => receiver.received.length === 1);
  const [{ event, headers }] = receiver.received as [(typeof receiver.received)[0]];
  assert.equal(event.data.id, endpoint.id);
  assert.equal(headers['webhook-id'], event.id);
  const listed = await eventually('the attempt is recorded', async () => {
    const { body } = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries`);
    return body.data[0].attempts.length > 0 ? body : undefined;
  });
  const [delivery] = listed.data;
  const one = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries/${delivery.id}`);
  assert.deepEqual(one.body, delivery);
  assert.equal(delivery.eventId, event.id);
  assert.equal(delivery.status, 'PENDING');
  assert.ok(delivery.nextAttemptAt > delivery.attempts[0].at);
  const { at, durationMs, ...attempt } = delivery.attempts[0];
  assert.ok(Date.parse(at) && durationMs >= 0);
  assert.deepEqual(attempt, { statusCode: 418, error: 'answered 418', response: 'as you see' });
  assert.equal((await api('GET', `/v1/events/${event.id}`)).body.type, 'webhook.test');
});

test('says when a delivery under way was due, not when its lease ends', async (context) => {
  const { api } = await sharedGateway();
  let answer: (() => void) | undefined;
  const server = createServer((_request, response) => {
    answer = () => response.writeHead(500).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url, events });
  const { body: sent } = await api('POST', `/v1/webhooks/${endpoint.id}/test`);
  const look = async () =>
    (await api('GET', `/v1/webhooks/${endpoint.id}/deliveries/${sent.id}`)).body;
  await eventually('the first attempt is under way', () => answer);
  assert.equal((await look()).nextAttemptAt, sent.createdAt);
  answer!();
  answer = undefined;
  const planned = await eventually('the next is planned', async () => {
    const delivery = await look();
    return delivery.attempts.length === 1 && delivery;
  });
  assert.ok(planned.nextAttemptAt > planned.attempts[0].at);
  await eventually('the second attempt is under way', () => answer);
  assert.equal((await look()).nextAttemptAt, planned.nextAttemptAt);
});

test('lists deliveries of one endpoint only, by status and page', async (context) => {
  const { api } = await sharedGateway();
  const receiver = await testReceiver(context);
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  await api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.failed'] });
  for (let count = 0; count < 3; count++) await api('POST', '/v1/payments', payment);
  const list = (query: string) => api('GET', `/v1/webhooks/${endpoint.id}/deliveries?${query}`);
  await eventually('all are recorded', async () => {
    return (await list('status=SUCCEEDED')).body.data.length === 3;
  });
  assert.deepEqual((await list('status=FAILED')).body, { data: [], hasMore: false });
  const { body: first } = await list('limit=2');
  assert.deepEqual([first.data.length, first.hasMore], [2, true]);
  const { body: rest } = await list(`limit=2&starting_after=${first.data[1].id}`);
  assert.deepEqual([rest.data.length, rest.hasMore], [1, false]);
  const ids = [...first.data, ...rest.data].map(({ eventId }: { eventId: string }) => eventId);
  assert.deepEqual(ids, ids.toSorted().toReversed());
  assert.equal((await list('status=LOST')).status, 400);
  assert.equal((await api('GET', `/v1/webhooks/${first.data[0].id}/deliveries`)).status, 404);
});

test('sends a delivery again on request, to the byte, and adds up its attempts', async (context) => {
  const { api } = await sharedGateway();
  const receiver = await testReceiver(context);
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  await api('POST', '/v1/payments', payment);
  const deliveries = `/v1/webhooks/${endpoint.id}/deliveries`;
  const delivered = (attempts: number) =>
    eventually(`it was delivered in ${attempts} attempts`, async () => {
      const [delivery] = (await api('GET', deliveries)).body.data;
      const is = delivery?.status === 'SUCCEEDED' && delivery.attempts.length === attempts;
      return is ? delivery : undefined;
    });
  const { id } = await delivered(1);
  const again = await api('POST', `${deliveries}/${id}/redeliver`);
  assert.deepEqual([again.status, again.body.status], [200, 'PENDING']);
  await delivered(2);
  const [first, second] = receiver.received;
  assert.deepEqual(second!.raw, first!.raw);
  const unknown = `${id.slice(0, -4)}0000`;
  assert.equal((await api('POST', `${deliveries}/${unknown}/redeliver`)).status, 404);
  await api('PATCH', `/v1/webhooks/${endpoint.id}`, { status: 'DISABLED' });
  assert.equal((await api('POST', `${deliveries}/${id}/redeliver`)).status, 409);
  assert.equal((await api('POST', `/v1/webhooks/${endpoint.id}/test`)).status, 409);
  await api('DELETE', `/v1/webhooks/${endpoint.id}`);
  for (const path of [deliveries, `${deliveries}/${id}`])
    assert.equal((await api('GET', path)).status, 404, 'they are gone with their endpoint');
});

test('sends a range again after an outage, including events that were never sent', async (context) => {
  const { api } = await sharedGateway();
  const receiver = await testReceiver(context);
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const since = new Date(Date.now() - 1_000).toISOString();
  const create = async () => (await api('POST', '/v1/payments', payment)).body.id as string;
  const got = () => receiver.received.map(({ event }) => event.data.id as string);
  const sent = await create();
  await eventually('the first arrives', () => got().length === 1);
  await api('PATCH', `/v1/webhooks/${endpoint.id}`, { status: 'DISABLED' });
  const missed = await create();
  await api('PATCH', `/v1/webhooks/${endpoint.id}`, { status: 'ACTIVE' });
  const redeliver = (body: object) => api('POST', `/v1/webhooks/${endpoint.id}/redeliver`, body);
  await eventually('its delivery is recorded', async () => {
    const { body } = await redeliver({ since, status: 'SUCCEEDED', until: since });
    const list = await api('GET', `/v1/webhooks/${endpoint.id}/deliveries?status=SUCCEEDED`);
    return body.count === 0 && list.body.data.length === 1;
  });
  assert.deepEqual((await redeliver({ since, status: 'FAILED' })).body, {
    count: 0,
    nextSince: null,
  });
  const { body } = await redeliver({ since });
  assert.deepEqual(body, { count: 2, nextSince: null });
  await eventually('both arrive', () => got().length === 3);
  assert.deepEqual(got().toSorted(), [sent, sent, missed].toSorted());
  const bad = [{}, { since: 'yesterday' }, { since, until: '2020-01-01' }, { since, status: 'X' }];
  for (const range of bad)
    assert.equal((await redeliver(range)).status, 400, JSON.stringify(range));
});

test('signs with both secrets during a rotation; a second rotation that is to end it ends the first', async (context) => {
  const { api } = await sharedGateway();
  const receiver = await testReceiver(context);
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const rotate = async (body?: object) =>
    (await api('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, body)).body;
  let seen = 0;
  const signatures = async () => {
    await api('POST', '/v1/payments', payment);
    seen += 1;
    await eventually('a webhook arrives', () => receiver.received.length === seen);
    const { headers, raw } = receiver.received.at(-1)!;
    const of = (secret: string) => sign(secret, Number(headers['x-service-timestamp']), raw);
    return { now: headers['x-service-signature'], next: headers['x-service-signature-next'], of };
  };
  const second = await rotate();
  const hours = (Date.parse(second.overlapEndsAt) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.9 && hours <= 24);
  const overlap = await signatures();
  assert.equal(overlap.now, overlap.of(endpoint.secret));
  assert.equal(overlap.next, overlap.of(second.secret));
  const third = await rotate({ overlapHours: 72, endOverlap: true });
  const later = await signatures();
  assert.equal(later.now, later.of(second.secret));
  assert.equal(later.next, later.of(third.secret));
  const fourth = await rotate({ overlapHours: 0 });
  const last = await signatures();
  assert.deepEqual([last.now, last.next], [last.of(fourth.secret), undefined]);
  for (const overlapHours of [-1, 73, 1.5, '24']) {
    const path = `/v1/webhooks/${endpoint.id}/rotate-secret`;
    assert.equal((await api('POST', path, { overlapHours })).status, 400, String(overlapHours));
  }
  assert.equal((await api('GET', `/v1/webhooks/${endpoint.id}`)).body.secret, undefined);
});

test('disables an endpoint that answers 410 at once, says why, and allows it to be enabled again', async (context) => {
  const { api } = await sharedGateway();
  const receiver = await testReceiver(context);
  receiver.answer = () => 410;
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url: receiver.url, events });
  const path = `/v1/webhooks/${endpoint.id}`;
  await api('POST', '/v1/payments', payment);
  const shown = await eventually('it is disabled', async () => {
    const { body } = await api('GET', path);
    return body.status === 'DISABLED' ? body : undefined;
  });
  assert.equal(shown.disabledReason, 'GONE');
  receiver.answer = () => 200;
  const { body: enabled } = await api('PATCH', path, { status: 'ACTIVE' });
  assert.deepEqual([enabled.status, enabled.disabledReason], ['ACTIVE', undefined]);
  await eventually('what waited arrives', () => receiver.received.length === 2);
});
