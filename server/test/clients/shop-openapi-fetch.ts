/** A shop in TypeScript with the types of openapi-typescript: pays, refunds, and takes a webhook. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';

const env = process.env as Record<string, string>;
const client = createClient<paths>({
  baseUrl: env.SHOP_URL!,
  headers: { authorization: `Bearer ${env.SHOP_KEY}` },
});
const attempt = {
  params: { header: { 'Idempotency-Key': 'order 23' } },
  body: {
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: '+238 991 23 51',
    metadata: { order: 23 },
  },
} as const;
let { data: payment } = await client.POST('/v1/payments', attempt);
assert.ok(payment);
const { id } = payment;
assert.equal(payment.status, 'CREATED');
assert.deepEqual(payment.metadata, { order: 23 });
const again = await client.POST('/v1/payments', attempt);
assert.equal(again.response.headers.get('idempotent-replayed'), 'true');
assert.equal(again.data?.id, id);
while (payment?.status !== 'DEBITED') {
  assert.equal(payment?.failureCode, null);
  await sleep(100);
  ({ data: payment } = await client.GET('/v1/payments/{id}', { params: { path: { id } } }));
}
const query = {
  created_gte: new Date(Date.now() - 86_400_000).toISOString(),
  status: ['DEBITED', 'CREATED'],
  operator: ['MOCK'],
} satisfies paths['/v1/payments']['get']['parameters']['query'];
const listed = await client.GET('/v1/payments', { params: { query } });
assert.equal(listed.data?.data[0]?.id, id);
const { data: refund } = await client.POST('/v1/refunds', {
  params: {},
  body: { paymentIntentId: id, amount: 4_000 },
});
assert.deepEqual([refund?.amount, refund?.paymentIntentId], ['4000', id]);
const { data: session } = await client.POST('/v1/checkout/sessions', {
  params: {},
  body: { items: [{ name: 'Cachupa', quantity: 2, unitPrice: 50_000 }] },
});
assert.deepEqual([session?.amount, session?.customerId], ['100000', null]);
const missing = await client.GET('/v1/payments/{id}', { params: { path: { id: 'pi_nobodys' } } });
assert.equal(missing.error?.error.code, 'NOT_FOUND');
const events = await client.GET('/v1/events');
assert.ok(events.data?.data.some(({ type }) => type === 'payment.created'));

const text = env.SHOP_WEBHOOK_BODY!;
const mac = createHmac('sha256', env.SHOP_WEBHOOK_SECRET!);
const expected = mac.update(`${env.SHOP_WEBHOOK_TIMESTAMP}.${text}`).digest('hex');
assert.equal(expected, env.SHOP_WEBHOOK_SIGNATURE);
const event = JSON.parse(text) as components['schemas']['Event'];
assert.ok(event.type === 'payment.failed');
assert.equal(event.data.failureCode, 'INSUFFICIENT_FUNDS');
console.log('openapi-typescript: created, got, listed, refunded and verified');
