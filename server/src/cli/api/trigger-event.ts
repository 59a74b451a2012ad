import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../platform/errors/start-error.ts';
import { formatAmount } from '../output.ts';
import type { Zimbo, ZimboEvent } from './connection.ts';
import { objectOf } from './event-object.ts';
import type { TriggeredType } from './trigger.ts';

/** The object of an event. */
interface Subject {
  id: string;
  /** By the gateway's clock: no event of the object is older. */
  createdAt: string;
}

export interface Stage {
  zimbo: Zimbo;
  /** The URL of the gateway. */
  url: string;
  /** Reports progress. */
  say: (words: string) => void;
}

/** Their last digits choose the outcome (docs/simulator.md). */
const phones = {
  pays: '+2389912345',
  hasTooLittle: '+2389910049',
  neverAnswers: '+2389910109',
  cannotBeRefunded: '+2389910119',
  waits: '+2389910159',
};

const amount = 10_000;
const intervalMs = 200;
const patienceMs = 30_000;
/** How much longer an operator may report "pending" (PAYMENT_EXPIRY_GRACE_SECONDS), with some slack. */
const expiryPatienceMs = 120_000;

const plans: Record<TriggeredType, (stage: Stage) => Promise<Subject>> = {
  'payment.created': (stage) => pay(stage, phones.pays),
  'payment.debited': (stage) => pay(stage, phones.pays),
  'payment.failed': (stage) => pay(stage, phones.hasTooLittle),
  'payment.expired': async (stage) => {
    const payment = await pay(stage, phones.neverAnswers);
    stage.say(`The customer never answers: it expires at ${payment.expiresAt}.`);
    return payment;
  },
  'payment.cancelled': async (stage) => {
    const { id } = await pay(stage, phones.waits);
    stage.say('Cancelling it.');
    return stage.zimbo.payments.cancel(id);
  },
  'payment.settled': async (stage) => {
    const payment = await payAndWait(stage);
    await settle(stage);
    return payment;
  },
  'refund.created': (stage) => refund(stage, phones.pays),
  'refund.succeeded': (stage) => refund(stage, phones.pays),
  'refund.failed': (stage) => refund(stage, phones.cannotBeRefunded),
  'disbursement.created': async (stage) => {
    await payAndWait(stage);
    return disburse(stage);
  },
  'checkout.completed': async (stage) => {
    const session = await openSession(stage);
    stage.say(`Paying on its page, with ${phones.pays}.`);
    await payOnPage(stage.url, session);
    return session;
  },
  'checkout.expired': async (stage) => {
    const { id } = await openSession(stage);
    stage.say('Ending it before its time.');
    return stage.zimbo.checkout.sessions.expire(id);
  },
  'settlement.completed': async (stage) => {
    await payAndWait(stage);
    return settle(stage);
  },
  'webhook.test': sendTest,
};

/** Makes an event happen, and waits for it. */
export async function makeHappen(stage: Stage, type: TriggeredType): Promise<ZimboEvent> {
  return awaitEvent(stage.zimbo, type, await plans[type](stage));
}

async function pay({ zimbo, say }: Stage, operatorPhone: string) {
  const payment = await zimbo.payments.create({
    amount,
    currency: 'CVE',
    operator: 'MOCK',
    operatorPhone,
  });
  say(`Payment ${payment.id} of ${formatAmount(BigInt(amount), 'CVE')} from ${operatorPhone}.`);
  return payment;
}

async function payAndWait(stage: Stage, phone = phones.pays) {
  const payment = await pay(stage, phone);
  stage.say('Waiting until it is debited.');
  await awaitEvent(stage.zimbo, 'payment.debited', payment);
  return payment;
}

async function refund(stage: Stage, phone: string): Promise<Subject> {
  const { id } = await payAndWait(stage, phone);
  const made = await stage.zimbo.refunds.create({ paymentIntentId: id });
  stage.say(`Refund ${made.id} of the whole payment.`);
  return made;
}

async function disburse({ zimbo, say }: Stage): Promise<Subject> {
  const made = await zimbo.disbursements.create(
    { amount: amount / 10, currency: 'CVE', operator: 'MOCK', operatorPhone: phones.pays },
    { idempotencyKey: randomUUID() },
  );
  say(`Disbursement ${made.id} of ${formatAmount(BigInt(made.amount), 'CVE')}.`);
  return made;
}

async function settle({ zimbo, say }: Stage): Promise<Subject> {
  const settlement = await zimbo.settlements.process({ currency: 'CVE' });
  if (!settlement) {
    throw new StartError(
      'There is nothing to settle: the payable balance in CVE is not above zero.',
      'Refunds can outweigh debits. Try again: each time 98.00 CVE more are payable.',
    );
  }
  say(`Settlement ${settlement.id} of ${formatAmount(BigInt(settlement.netAmount), 'CVE')}.`);
  return settlement;
}

async function openSession({ zimbo, say }: Stage) {
  const session = await zimbo.checkout.sessions.create({ amount, currency: 'CVE' });
  say(`Checkout session ${session.id} of ${formatAmount(BigInt(amount), 'CVE')}.`);
  return session;
}

/**
 * Does what the customer's browser does, but directly at the gateway: the public address may not be reachable from
 * here.
 */
async function payOnPage(gatewayUrl: string, session: { url: string }): Promise<void> {
  const url = `${gatewayUrl}/pay/${session.url.split('/').at(-1)}`;
  const body = new URLSearchParams({ phone: phones.pays, operator: 'MOCK', attempt: '0' });
  const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  if (status !== 303)
    throw new StartError(`The payment page ${url} did not take the payment: status ${status}.`);
}

async function sendTest({ zimbo, say }: Stage): Promise<Subject> {
  for await (const endpoint of zimbo.webhooks.list()) {
    if (endpoint.status !== 'ACTIVE') continue;
    say(`Sending a test event to ${endpoint.url}.`);
    const { createdAt } = await zimbo.webhooks.sendTest(endpoint.id);
    return { id: endpoint.id, createdAt };
  }
  throw new StartError(
    'There is no ACTIVE endpoint to send a test event to.',
    'Create one: zimbo webhooks create --url http://localhost:4400/ --events payment.debited',
  );
}

async function awaitEvent(
  zimbo: Zimbo,
  type: TriggeredType,
  subject: Subject,
): Promise<ZimboEvent> {
  const deadlineMs = performance.now() + (await patienceFor(zimbo, type, subject));
  for (;;) {
    for await (const event of zimbo.events.list({ type })) {
      if (event.createdAt < subject.createdAt) break;
      if (objectOf(event) === subject.id) return event;
    }
    if (performance.now() > deadlineMs) {
      throw new StartError(
        `${subject.id} was created, but has no ${type} yet.`,
        'Is a gateway with the role worker or all running? Check with "zimbo doctor".',
      );
    }
    await delay(intervalMs);
  }
}

async function patienceFor(zimbo: Zimbo, type: TriggeredType, { id, createdAt }: Subject) {
  if (type !== 'payment.expired') return patienceMs;
  const { expiresAt } = await zimbo.payments.get(id);
  return Date.parse(expiresAt) - Date.parse(createdAt) + expiryPatienceMs;
}
