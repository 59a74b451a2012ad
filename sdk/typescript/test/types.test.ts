/** What these tests check, the type check checks: a line that expects an error and gets none is an error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  CheckoutSession,
  Disbursement,
  DisbursementBatch,
  List,
  OperatorDetails,
  Payment,
  Refund,
  Settlement,
  WebhookEndpoint,
  Zimbo,
  ZimboEvent,
} from '../src/index.ts';

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const same = <_One, _Other>(_verdict: Same<_One, _Other>) => {};

function narrowEvent(event: ZimboEvent): string {
  switch (event.type) {
    case 'payment.created':
    case 'payment.debited':
    case 'payment.settled':
    case 'payment.failed':
    case 'payment.expired':
    case 'payment.cancelled':
      same<typeof event.data, Payment>(true);
      return event.data.operatorPhone;
    case 'refund.created':
    case 'refund.succeeded':
    case 'refund.failed':
      same<typeof event.data, Refund>(true);
      return event.data.paymentIntentId;
    case 'checkout.completed':
    case 'checkout.expired':
      same<typeof event.data, CheckoutSession>(true);
      return event.data.url;
    case 'settlement.completed':
      same<typeof event.data, Settlement>(true);
      return event.data.netAmount;
    case 'operator.status_changed':
      same<typeof event.data, OperatorDetails>(true);
      return event.data.status;
    case 'disbursement.created':
    case 'disbursement.succeeded':
    case 'disbursement.failed':
    case 'disbursement.cancelled':
      same<typeof event.data, Disbursement>(true);
      return event.data.feeAmount;
    case 'disbursement_batch.completed':
      same<typeof event.data, DisbursementBatch>(true);
      return event.data.id;
    case 'webhook.test':
      same<typeof event.data, WebhookEndpoint>(true);
      return event.data.url;
    default:
      return event satisfies never;
  }
}

test('an event is narrowed by its type, exhaustively', () => {
  const event = { id: 'evt_1', type: 'refund.failed', data: { paymentIntentId: 'pi_1' } };
  assert.equal(narrowEvent(event as unknown as ZimboEvent), 'pi_1');
});

async function misuse(zimbo: Zimbo): Promise<void> {
  const body = { amount: 1, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  // @ts-expect-error amounts of requests are integers, not text
  await zimbo.payments.create({ ...body, amount: '1' });
  // @ts-expect-error an operator that does not exist
  await zimbo.payments.create({ ...body, operator: 'MPESA' });
  // @ts-expect-error a field that does not exist
  await zimbo.payments.create({ ...body, colour: 'red' });
  // @ts-expect-error a required field is missing
  await zimbo.payments.create({ amount: 1, operator: 'MOCK' });
  // @ts-expect-error a status that does not exist
  zimbo.payments.list({ status: 'PAID' });
  // @ts-expect-error what only reads has no idempotency key
  await zimbo.payments.get('pi_1', { idempotencyKey: 'x' });
  // @ts-expect-error a list is walked, or asked for a page
  void zimbo.payments.list().data;
  const payment = await zimbo.payments.create({ ...body, customerId: undefined, metadata: null });
  same<typeof payment.amount, string>(true);
  const settlement = await zimbo.settlements.process();
  same<typeof settlement, Settlement | undefined>(true);
  const failures = zimbo.events.list({ type: 'payment.failed' });
  same<typeof failures, List<ZimboEvent<'payment.failed'>>>(true);
  const ends = zimbo.events.list({ type: ['payment.failed', 'payment.expired'] });
  same<typeof ends, List<ZimboEvent<'payment.failed' | 'payment.expired'>>>(true);
  same<ReturnType<typeof zimbo.events.list>, List<ZimboEvent>>(true);
  zimbo.events.list({ type: 'payment.*', objectId: 'pi_1' });
  for await (const { data } of failures) same<typeof data, Payment>(true);
}

test('misuse does not compile', () => {
  assert.equal(typeof misuse, 'function');
});
