import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { parseId, randomIds } from '../../src/platform/values/ids.ts';
import { maskPhone } from '../../src/platform/values/phone.ts';
import { allPermissions } from '../../src/tenants/merchants/api-key.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { apiOf, eventually, reach, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

const phone = '+2389912345';
const masked = '+238•••••45';

test('masks a phone so that it can be recognized, but not called', () => {
  assert.equal(maskPhone(phone), masked);
  assert.equal(maskPhone('+244923456789'), '+244•••••••89');
  assert.equal(maskPhone('+12345678'), '+123•••78');
  assert.equal(maskPhone('+00000000'), '+00000000', 'what was erased');
});

test('masks phones everywhere for a key that may not read them', async (context) => {
  const { url, database, zimbo, api } = await testGateway(context);
  const receiver = await testReceiver(context);
  const endpoint = { url: receiver.url, events: ['payment.debited'] };
  assert.equal((await api('POST', '/v1/webhooks', endpoint)).status, 200);
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const permissions = allPermissions.filter((permission) => permission !== 'phones:read');
  const order = { merchantId: merchant!.id, mode: 'test' as const, permissions };
  const { key } = await issueKey({ database, clock: systemClock, ids: randomIds() }, order);
  const blind = apiOf(url, key);

  const body = {
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: phone,
    externalId: `"operatorPhone":"${phone}"`,
    metadata: { operatorPhone: '+2389900000' },
  };
  const headers = { 'idempotency-key': 'one' };
  const created = await blind('POST', '/v1/payments', body, headers);
  const again = await blind('POST', '/v1/payments', body, headers);
  assert.equal(again.text, created.text);
  const { id } = created.body;
  await reach(zimbo.payments, id, 'DEBITED');
  const waits = await blind('POST', '/v1/payments', { ...body, operatorPhone: '+2389912159' });
  await reach(zimbo.payments, waits.body.id, 'USER_CONFIRMING');
  const confirmed = await blind('POST', `/v1/payments/${waits.body.id}/confirm`);
  const late = await blind('POST', '/v1/payments', { ...body, operatorPhone: '+2389912159' });
  const cancelled = await blind('POST', `/v1/payments/${late.body.id}/cancel`);
  const list = (await blind('GET', '/v1/payments')).body.data;
  const events = (await blind('GET', '/v1/events')).body.data;
  const event = await blind('GET', `/v1/events/${events[0].id}`);
  const seen = [
    created.body,
    again.body,
    (await blind('GET', `/v1/payments/${id}`)).body,
    waits.body,
    confirmed.body,
    cancelled.body,
    ...list,
    ...events.map(({ data }: { data: object }) => data),
    event.body.data,
  ];
  for (const payment of seen) {
    assert.match(payment.operatorPhone, /^\+238•••••(45|59)$/);
    assert.equal(payment.externalId, body.externalId, 'a text of the merchant stays');
    assert.deepEqual(payment.metadata, body.metadata);
  }

  const whole = (await api('GET', `/v1/payments/${id}`)).body;
  assert.equal(whole.operatorPhone, phone);
  await reach(zimbo.payments, waits.body.id, 'DEBITED');
  const sent = receiver.received.find((each) => each.event.data.id === id);
  assert.equal(sent?.event.data.operatorPhone, phone, 'webhooks are for the merchant’s own server');
  const [row] = await database.query<{ phone: string }>(
    { text: 'SELECT operator_phone AS phone FROM payments WHERE id = $1' },
    [parseId('pi', id)],
  );
  assert.equal(row!.phone, phone);
});

test("hides receivers' answers, which may repeat phones, from a key that may not read those", async (context) => {
  const { url, database, zimbo, api } = await testGateway(context);
  const receiver = await testReceiver(context);
  const endpoint = { url: receiver.url, events: ['payment.created'] };
  const { id } = (await api('POST', '/v1/webhooks', endpoint)).body;
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const permissions = allPermissions.filter((permission) => permission !== 'phones:read');
  const order = { merchantId: merchant!.id, mode: 'test' as const, permissions };
  const { key } = await issueKey({ database, clock: systemClock, ids: randomIds() }, order);
  const blind = apiOf(url, key);
  await zimbo.payments.create({ amount: 10_000, operator: 'MOCK', operatorPhone: phone });
  const path = `/v1/webhooks/${id}/deliveries`;
  const delivered = await eventually('it is delivered', async () => {
    const [first] = (await api('GET', path)).body.data;
    return first?.status === 'SUCCEEDED' && first;
  });
  assert.equal(delivered.attempts[0].response, 'as you see');
  const answers = [
    (await blind('GET', path)).body.data[0],
    (await blind('GET', `${path}/${delivered.id}`)).body,
    (await blind('POST', `${path}/${delivered.id}/redeliver`)).body,
  ];
  for (const { attempts } of answers) {
    assert.deepEqual([attempts[0].statusCode, attempts[0].response], [200, null]);
  }
});

test('forbids a key that may not read phones to have them sent to an address of its choice', async (context) => {
  const { url, database, api } = await testGateway(context);
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const permissions = ['webhooks:read', 'webhooks:write'];
  const order = { merchantId: merchant!.id, mode: 'test' as const, permissions };
  const { key } = await issueKey({ database, clock: systemClock, ids: randomIds() }, order);
  const blind = apiOf(url, key);
  const forPhones = { url: 'http://127.0.0.1:9/', events: ['payment.debited'] };
  for (const type of ['payment.debited', 'disbursement.created']) {
    const refused = await blind('POST', '/v1/webhooks', { ...forPhones, events: [type] });
    assert.equal(refused.status, 403, type);
    assert.match(refused.body.error.message, /phones:read/);
  }
  const without = { ...forPhones, events: ['refund.created'] };
  const { body: own } = await blind('POST', '/v1/webhooks', without);
  const { body: other } = await api('POST', '/v1/webhooks', forPhones);
  const change = (id: string, body: object) => blind('PATCH', `/v1/webhooks/${id}`, body);
  assert.equal((await change(own.id, { events: ['payment.failed'] })).status, 403);
  assert.equal((await change(other.id, { url: 'http://127.0.0.1:8/' })).status, 403);
  assert.equal((await change(other.id, { status: 'DISABLED' })).status, 200);
});

test('lets older keys go on reading phones', async (context) => {
  const { readFile } = await import('node:fs/promises');
  const { database, key, url } = await testGateway(context);
  await database.query({ text: `UPDATE api_keys SET permissions = '{payments:read}'` });
  const file = new URL('../../migrations/0019-personal-data.sql', import.meta.url);
  const [, statement] = /(UPDATE api_keys[^;]*);/.exec(await readFile(file, 'utf8'))!;
  await database.query({ text: statement! });
  await database.query({ text: statement! });
  const rows = await database.query<{ permissions: string[] }>({
    text: 'SELECT permissions FROM api_keys',
  });
  assert.deepEqual(rows[0]!.permissions, ['payments:read', 'phones:read']);
  assert.equal((await apiOf(url, key)('GET', '/v1/payments')).status, 200);
});
