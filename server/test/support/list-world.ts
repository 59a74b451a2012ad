import type { TestContext } from 'node:test';
import { confirmPhone, okPhone, openSession, pageOf, poorPhone, reachStatus } from './checkout.ts';
import { eventually, reach, type TestGateway, testGateway } from './gateway.ts';
import { receive } from './webhook-receiver.ts';

/** A merchant with several objects in every list, which do not change any more. */
export interface ListWorld {
  gateway: TestGateway;
  /** Settlements, the oldest first. */
  settlements: string[];
  endpoints: string[];
}

const refusedByOperator = '+2389912119';

export async function listWorld(context: TestContext): Promise<ListWorld> {
  const gateway = await testGateway(context);
  const endpoints = await makeEndpoints(context, gateway);
  await makeCatalogue(gateway);
  const settlements: string[] = [];
  for (const round of [1, 2, 3]) {
    await makePayments(gateway, round);
    await makeSessions(gateway, round);
    settlements.push(await settle(gateway));
  }
  await isStill(gateway);
  return { gateway, settlements, endpoints };
}

async function makeEndpoints(context: TestContext, { zimbo }: TestGateway): Promise<string[]> {
  const good = await receive(context, (_request, response) => response.writeHead(204).end());
  // Gone, so that deliveries fail for good and the endpoint is disabled.
  const gone = await receive(context, (_request, response) => response.writeHead(410).end());
  const ids: string[] = [];
  for (const { url } of [good, gone, good]) {
    const events = ['payment.created', 'payment.failed', 'refund.created'] as const;
    ids.push((await zimbo.webhooks.create({ url, events: [...events] })).id);
  }
  return ids;
}

async function makeCatalogue({ zimbo }: TestGateway): Promise<void> {
  for (const number of [1, 2, 3, 4, 5]) {
    const metadata = { shelf: number % 2 === 0 ? 'even' : 'odd', number, hasLid: number > 2 };
    const active = number !== 3;
    await zimbo.products.create({ name: `Produto ${number}`, price: 5_000, active, metadata });
    const link = { description: `Link ${number}`, amount: 5_000, metadata };
    const { id } = await zimbo.paymentLinks.create(link);
    if (!active) await zimbo.paymentLinks.update(id, { active });
  }
}

/** Payments in most statuses, with refunds that succeed and fail. */
async function makePayments({ zimbo }: TestGateway, round: number): Promise<void> {
  const create = (amount: number, operatorPhone: string, more = {}) =>
    zimbo.payments.create({ amount, operatorPhone, operator: 'MOCK', ...more });
  const metadata = { order: `n.º "${round}"`, round, urgent: round === 2, nested: { round: 9 } };
  const named = { customerId: `c${round % 2}`, externalId: 'order-1' };
  const paid = await create(10_000 * round, okPhone, { ...named, metadata });
  const angolan = { operator: 'UNITEL_TMAIS', currency: 'AOA', customerId: 'c0' };
  const other = await create(7_000, '+244923456789', angolan);
  const unreturned = await create(9_000, refusedByOperator, { metadata: { round: String(round) } });
  await create(9_000, poorPhone, named);
  const waiting = await create(20_000, confirmPhone, { metadata: { order: null, round: [round] } });
  const cancelled = await create(30_000, confirmPhone);
  for (const { id } of [waiting, cancelled]) await reach(zimbo.payments, id, 'USER_CONFIRMING');
  if (round === 2) await zimbo.payments.cancel(cancelled.id);
  for (const { id } of [paid, other, unreturned]) await reach(zimbo.payments, id, 'DEBITED');
  for (const amount of [1_000, 2_000]) {
    const body = { paymentIntentId: paid.id, amount, metadata: { round, amount } };
    const refund = await zimbo.refunds.create(body);
    await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  }
  const refund = await zimbo.refunds.create({ paymentIntentId: unreturned.id });
  await reach(zimbo.refunds, refund.id, 'FAILED');
}

async function makeSessions(gateway: TestGateway, round: number): Promise<void> {
  const customerId = `c${round % 2}`;
  const metadata = { order: `s-${round}`, round };
  const session = await openSession(gateway, {
    amount: 10_000,
    customerId,
    externalId: `order-${round % 2}`,
    metadata,
  });
  await openSession(gateway, { amount: 20_000, metadata: { round: 1 } });
  const expired = await openSession(gateway, { amount: 30_000, customerId });
  await gateway.zimbo.checkout.sessions.expire(expired.id);
  await pageOf(gateway, session).pay(poorPhone);
  await eventually('the first attempt failed', async () => {
    const { paymentIntentId } = await gateway.zimbo.checkout.sessions.get(session.id);
    return paymentIntentId && reach(gateway.zimbo.payments, paymentIntentId, 'FAILED');
  });
  await pageOf(gateway, session).pay(okPhone);
  await reachStatus(gateway, session, 'COMPLETED');
}

async function settle({ zimbo }: TestGateway): Promise<string> {
  const settlement = await zimbo.settlements.process({ currency: 'CVE' });
  await reach(zimbo.settlements, settlement!.id, 'COMPLETED');
  return settlement!.id;
}

/** Nothing is due except what waits for a customer. */
async function isStill({ api }: TestGateway): Promise<void> {
  let before = '';
  await eventually('nothing changes any more', async () => {
    const texts = await Promise.all(
      ['payments', 'events', 'webhooks', 'settlements'].map(
        async (list) => (await api('GET', `/v1/${list}?limit=100`)).text,
      ),
    );
    const isSame = texts.join() === before;
    before = texts.join();
    return isSame;
  });
}
