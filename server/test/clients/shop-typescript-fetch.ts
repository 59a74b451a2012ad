/** A shop in TypeScript with the client of OpenAPI Generator: pays, refunds, and takes a webhook. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CheckoutApi,
  Configuration,
  EventFromJSON,
  EventsApi,
  FailureCode,
  instanceOfModelError,
  Operator,
  PaymentStatus,
  PaymentsApi,
  RefundsApi,
  ResponseError,
} from './typescript-fetch/index';

const env = process.env as Record<string, string>;
const configuration = new Configuration({
  basePath: env.SHOP_URL,
  accessToken: env.SHOP_KEY,
});
const payments = new PaymentsApi(configuration);
const createPaymentBody = {
  amount: 10_000,
  operator: Operator.Mock,
  operatorPhone: '+238 991 23 50',
  metadata: { order: 22 },
};
const attempt = { createPaymentBody, idempotencyKey: 'order 22' };
let payment = await payments.createPayment(attempt);
assert.equal(payment.status, PaymentStatus.Created);
assert.deepEqual(payment.metadata, { order: 22 });
const again = await payments.createPaymentRaw(attempt);
assert.equal(again.raw.headers.get('idempotent-replayed'), 'true');
assert.equal((await again.value()).id, payment.id);
while (payment.status !== PaymentStatus.Debited) {
  assert.equal(payment.failureCode, null);
  await sleep(100);
  payment = await payments.getPayment({ id: payment.id });
}
const listed = await payments.listPayments({
  createdGte: new Date(Date.now() - 86_400_000),
  status: [PaymentStatus.Debited, PaymentStatus.Created],
  operator: [Operator.Mock],
});
assert.equal(listed.data[0]?.id, payment.id);
const refund = await new RefundsApi(configuration).createRefund({
  createRefundBody: { paymentIntentId: payment.id, amount: 4_000 },
});
assert.deepEqual([refund.amount, refund.paymentIntentId], ['4000', payment.id]);
const session = await new CheckoutApi(configuration).createCheckoutSession({
  createCheckoutSessionBody: { items: [{ name: 'Cachupa', quantity: 2, unitPrice: 50_000 }] },
});
assert.deepEqual([session.amount, session.customerId], ['100000', null]);
const refusal = await payments.getPayment({ id: 'pi_nobodys' }).catch((error: unknown) => error);
assert.ok(refusal instanceof ResponseError);
const body = await refusal.response.json();
assert.ok(instanceOfModelError(body));
assert.equal(body.error.code, 'NOT_FOUND');
const events = await new EventsApi(configuration).listEvents();
assert.ok(events.data.some(({ type }) => type === 'payment.created'));

const text = env.SHOP_WEBHOOK_BODY!;
const mac = createHmac('sha256', env.SHOP_WEBHOOK_SECRET!);
const expected = mac.update(`${env.SHOP_WEBHOOK_TIMESTAMP}.${text}`).digest('hex');
assert.equal(expected, env.SHOP_WEBHOOK_SIGNATURE);
const event = EventFromJSON(JSON.parse(text));
assert.equal(event.type, 'payment.failed');
assert.equal(event.data.failureCode, FailureCode.InsufficientFunds);
console.log('typescript-fetch: created, got, listed, refunded and verified');
