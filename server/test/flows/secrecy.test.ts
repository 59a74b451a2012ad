import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { eventually, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';

test('logs no key, no secret and no whole phone number at the most verbose level', async (context) => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const environment = { PAYMENT_EXPIRY_SECONDS: '1' };
  const gateway = await testGateway(context, { log, environment });
  const receiver = await testReceiver(context);
  receiver.answer = (index) => (index === 0 ? 500 : 200);
  const { api, key, url } = gateway;
  const endpoint = { url: receiver.url, events: ['payment.created'] };
  const { body: created } = await api('POST', '/v1/webhooks', endpoint);
  const phones = ['+2389912345', '+2389912049', '+2389912139'];
  for (const operatorPhone of phones) {
    const payment = { amount: 1, operator: 'MOCK', operatorPhone };
    const { body } = await api('POST', '/v1/payments', payment);
    await api('POST', `/v1/payments/${body.id}/cancel`);
  }
  const unknownKey = `sk_test_${'x'.repeat(32)}`;
  await fetch(`${url}/v1/payments`, { headers: { authorization: `Bearer ${unknownKey}` } });
  await api('POST', '/v1/payments', { operatorPhone: phones[0], amount: '1' });
  await api('GET', `/v1/payments?customer_id=${encodeURIComponent(phones[0]!)}`);
  await eventually('four attempts', () => receiver.received.length >= 4);
  const written = lines.join('\n');
  assert.ok(lines.length > 10, 'the log says something');
  for (const secret of [key, key.slice(8), unknownKey, created.secret, created.secret.slice(6)]) {
    assert.ok(!written.includes(secret), 'a key or secret is in the log');
  }
  for (const phone of phones) assert.ok(!written.includes(phone.slice(4)), 'a phone is in the log');
});

test('stores neither keys nor secrets in plain text', async (context) => {
  const { api, database, key } = await testGateway(context);
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.created'] };
  const { body } = await api('POST', '/v1/webhooks', endpoint);
  const text = `
    SELECT (SELECT string_agg(k::text, '') FROM api_keys k) AS keys,
      (SELECT string_agg(w::text || encode(w.secret_box, 'escape'), '') FROM webhook_endpoints w) AS endpoints`;
  const [row] = await database.query<{ keys: string; endpoints: string }>({ text });
  assert.ok(!row!.keys.includes(key.slice(8)));
  assert.ok(!row!.endpoints.includes(body.secret.slice(6, 30)));
});
