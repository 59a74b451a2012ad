import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { CheckoutSession, Payment } from '../../../sdk/typescript/src/index.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { createMerchantRole } from '../../src/tenants/people/merchant-roles.ts';
import { roles } from '../../src/tenants/people/permissions.ts';
import { enrolTill } from '../../src/tenants/people/till-devices.ts';
import { confirmPhone, openSession, reachStatus } from '../support/checkout.ts';
import { type Member, type PageAnswer, type TestConsole, testConsole } from '../support/console.ts';
import { eventually, reach, zimboOf } from '../support/gateway.ts';
import { book } from '../support/history.ts';
import { receiptTokenOf } from '../support/receipts.ts';
import { type Receiver, testReceiver } from '../support/receiver.ts';
import { invitationTo } from '../support/stranger.ts';
import { openStaffWorld, type StaffWorld, staffEnvironment } from './staff-world.ts';
import type { Texts } from './world-texts.ts';

type Context = Pick<TestContext, 'after'>;
const hourMs = 3_600_000;
/** No process works on it during the test. */
const tomorrow = `now() + interval '1 day'`;
/** Until changed to a value that no form accepts. */
const keyLabel = 'caixa 3';
const shownStatuses = ['CREATED', 'OPERATOR_PENDING', 'EXPIRED'] as const;

/** A merchant with everything, and the ids that its pages show. */
export interface World extends StaffWorld {
  site: TestConsole;
  texts: Texts;
  tenantId: string;
  /** An owner of this merchant and of an empty one, just reauthenticated. */
  owner: Member;
  /** The same permissions, but without recent reauthentication. */
  stale: Member;
  viewer: Member;
  /** Below the origin, like `site.base`: the empty merchant. */
  emptyBase: string;
  payments: Record<string, Payment>;
  session: CheckoutSession;
  paidSession: CheckoutSession;
  reusable: string;
  product: string;
  role: string;
  key: string;
  endpoint: string;
  disabledEndpoint: string;
  event: string;
  settlement: string;
  disbursement: string;
  batch: string;
  failedSettlement: string;
  receipts: string[];
  invitation: string;
}

export async function openWorld(context: Context, texts: Texts): Promise<World> {
  const site = await testConsole(context, {
    environment: { SIMULATOR_DELAY_MS: '20', ...staffEnvironment },
  });
  const { database } = site.gateway;
  const tenantText = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text: tenantText }, [site.merchantId]);
  const tenantId = tenant!.id;
  await dress(site, texts);
  const receiver = await testReceiver(context);
  const hooks = await addHooks(site, texts, receiver);
  const people = await addPeople(site, texts);
  const payments = await addPayments(site, texts);
  const settlement = await payOut(site);
  Object.assign(payments, await addRefunds(site, texts));
  const failedSettlement = await payOut(site);
  await askApproval(site, texts, { tenantId, payment: payments.DEBITED!, asker: people.viewer });
  const sold = await addSales(site, texts);
  const key = await addKey(people.owner);
  await addHistory(site, tenantId);
  await eventually('its webhooks are delivered', () => receiver.received.length >= 4);
  const event = String(receiver.received[0]!.event.id);
  await changeRows(site, texts, { payments, failed: failedSettlement, ...hooks });
  await makeMistakes(site, texts);
  const receipts = await Promise.all(
    ['DEBITED', 'FAILED', 'REFUNDED', 'USER_CONFIRMING'].map(
      async (status) => `/receipt/${await receiptTokenOf(site.gateway, payments[status]!)}`,
    ),
  );
  const disbursed = await disburse(texts, people.owner);
  const ids = { settlement, failedSettlement, ...disbursed, event, key, receipts };
  const staff = await openStaffWorld(site, texts, {
    tenantId,
    payment: payments.DEBITED!,
    settlement,
  });
  return { site, texts, tenantId, payments, ...people, ...staff, ...hooks, ...sold, ...ids };
}

async function dress({ gateway, merchantId }: TestConsole, { shop, logo }: Texts): Promise<void> {
  const text = `UPDATE merchants SET name = $2, brand_name = $2, brand_colour = '#0b5d44', brand_logo = $3, brand_logo_type = $4
    WHERE id = $1`;
  await gateway.database.query({ text }, [merchantId, shop, logo.bytes, logo.type]);
}

/** A refund that needs a second person. */
async function askApproval(
  { gateway }: TestConsole,
  { reason }: Texts,
  given: { tenantId: string; payment: { id: string }; asker: { personId: string } },
): Promise<void> {
  const text = `
INSERT INTO approvals (tenant_id, id, kind, status, subject_id, subject_state, request, asked_by, asked_at, expires_at)
VALUES ($1, gen_random_uuid(), 'REFUND', 'PENDING', $2, '', $3, $4, now(), now() + interval '72 hours')`;
  const request = JSON.stringify({ amountMinor: '125000', currency: 'CVE', reason });
  const { tenantId, payment, asker } = given;
  const values = [tenantId, parseId('pi', payment.id), request, asker.personId];
  await gateway.database.query({ text }, values);
}

async function addHooks({ gateway: { zimbo } }: TestConsole, texts: Texts, receiver: Receiver) {
  receiver.answer = (index) => (index % 3 === 1 ? 500 : 200);
  receiver.body = texts.answer;
  const create = (
    url: string,
    events: ('payment.created' | 'payment.debited' | 'refund.failed')[],
  ) => zimbo.webhooks.create({ url, events, description: texts.endpoint });
  const live = await create(`${receiver.url}?shop=morabeza`, [
    'payment.created',
    'payment.debited',
  ]);
  const dead = await create(receiver.url.replace('webhooks', 'old'), ['refund.failed']);
  return { endpoint: live.id, disabledEndpoint: dead.id };
}

async function addPeople(site: TestConsole, { person, userAgent }: Texts) {
  const [owner, stale, viewer] = [
    await site.signIn('OWNER'),
    await site.signIn('OWNER'),
    await site.signIn('VIEWER'),
  ];
  for (const role of roles) await site.signIn(role);
  const { database } = site.gateway;
  const base = { database, clock: systemClock, ids: randomIds() };
  const empty = await createMerchant(base, 'Padaria Nova');
  await database.query({ text: `INSERT INTO memberships SELECT $1, $2, 'OWNER', now()` }, [
    empty.id,
    owner.personId,
  ]);
  await database.query({ text: 'UPDATE people SET name = $1' }, [person]);
  await database.query({ text: 'UPDATE person_sessions SET user_agent = $1' }, [userAgent]);
  await database.query(
    {
      text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour' WHERE person_id = $1`,
    },
    [stale.personId],
  );
  await database.query(
    {
      text: `INSERT INTO passkeys SELECT gen_random_uuid(), $1, 'a', 'b', 0, '{internal}', $2, now(), now()`,
    },
    [owner.personId, person],
  );
  const invitation = await invitationTo(site, 'rosa.tavares@loja.cv', 'FINANCE');
  const emptyBase = `/console/${formatId('me', empty.id)}/test`;
  const role = await createMerchantRole(base, {
    merchantId: site.merchantId,
    name: person.slice(0, 40),
    permissions: ['payments.charge', 'refunds.create'],
    holds: () => true,
  });
  await enrolTill(base, { ...site, personId: owner.personId, label: userAgent });
  return { owner, stale, viewer, emptyBase, invitation, role: formatId('ro', role) };
}

function orderOf({ description, order, customer, metadata }: Texts) {
  const names = { description, externalId: order, customerId: customer, metadata };
  return { ...names, amount: 125_000, operator: 'MOCK' } as const;
}

/**
 * One payment in each status that is reached automatically; `changeRows` turns others into passing
 * statuses.
 */
async function addPayments({ gateway: { zimbo } }: TestConsole, texts: Texts) {
  const order = orderOf(texts);
  const payments: Record<string, Payment> = {};
  const open = async (
    name: string,
    operatorPhone: string,
    status: Payment['status'] = 'DEBITED',
  ) => {
    const { id } = await zimbo.payments.create({ ...order, operatorPhone });
    payments[name] = await reach(zimbo.payments, id, status);
  };
  const suffixes = ['019', '029', '039', '059', '069'];
  await Promise.all([
    ...shownStatuses.map((status, index) => open(status, `+23899123${50 + index}`)),
    open('SETTLED', '+2389912345'),
    open('FAILED', '+2389912049', 'FAILED'),
    open('USER_CONFIRMING', confirmPhone, 'USER_CONFIRMING'),
    open('CANCELLED', '+2389913159', 'USER_CONFIRMING'),
    ...suffixes.map((suffix) => open(`FAILED ${suffix}`, `+2389912${suffix}`, 'FAILED')),
  ]);
  await zimbo.payments.cancel(payments.CANCELLED!.id);
  return payments;
}

/** Done, failed and in progress; after the first payout, so that a second has money to pay. */
async function addRefunds({ gateway: { zimbo } }: TestConsole, texts: Texts) {
  const order = orderOf(texts);
  const pay = async (operatorPhone: string) => {
    const { id } = await zimbo.payments.create({ ...order, operatorPhone });
    return reach(zimbo.payments, id, 'DEBITED');
  };
  const [whole, part, refused, kept] = await Promise.all(
    ['+2389912361', '+2389912362', '+2389912119', '+2389912363'].map(pay),
  );
  const give = async ({ id }: Payment, amount: number, status: 'SUCCEEDED' | 'FAILED') => {
    const order = { paymentIntentId: id, amount, reason: texts.reason, metadata: texts.metadata };
    const refund = await zimbo.refunds.create(order);
    await reach(zimbo.refunds, refund.id, status);
  };
  await give(whole!, 125_000, 'SUCCEEDED');
  await Promise.all([
    give(part!, 25_000, 'SUCCEEDED'),
    give(part!, 10_000, 'SUCCEEDED'),
    give(refused!, 125_000, 'FAILED'),
  ]);
  const current = ({ id }: Payment) => zimbo.payments.get(id);
  return {
    REFUNDED: await current(whole!),
    PARTIALLY_REFUNDED: await current(part!),
    DEBITED: kept!,
  };
}

async function payOut({ gateway: { zimbo } }: TestConsole): Promise<string> {
  const { id } = (await zimbo.settlements.process({ currency: 'CVE' }))!;
  await reach(zimbo.settlements, id, 'COMPLETED');
  return id;
}

/** Sent in the console, so that the audit log names a person. */
async function disburse({ order, description }: Texts, owner: Member) {
  const wallet = { amount: '12,50', currency: 'CVE', phone: '9912345', operator: 'MOCK' };
  const key = randomIds().next(Date.now());
  const fields = { ...wallet, key, order, description, action: 'send' };
  const idIn = ({ location }: PageAnswer, pattern: RegExp) => {
    const id = pattern.exec(location ?? '')?.[0];
    if (id === undefined) throw new Error(`nothing was sent: ${location}`);
    return id;
  };
  const disbursement = idIn(await owner.send('disbursements/new', fields), /di_\w+/);
  const phones = ['9912345', '9912349', '9912353'];
  const rows = phones.map((phone, line) => [line + 2, 'MOCK', phone, '3', order, description]);
  const many = { key: randomIds().next(Date.now()), name: description, action: 'send' };
  const file = { ...many, rows: JSON.stringify(rows) };
  const batch = idIn(await owner.send('disbursements/upload', file), /dib_\w+/);
  return { disbursement, batch };
}

async function addSales(site: TestConsole, texts: Texts) {
  const { gateway } = site;
  const { zimbo } = gateway;
  const names = [texts.product, 'Pastel com diabo dentro', 'Sumo de tamarindo'];
  const products = [];
  for (const [index, name] of names.entries()) {
    const { description, metadata } = texts;
    products.push(
      await zimbo.products.create({ name, description, metadata, price: 45_000 - index * 15_000 }),
    );
  }
  await zimbo.products.update(products[2]!.id, { active: false });
  const link = { description: texts.product, productId: products[0]!.id };
  const { id: reusable } = await zimbo.paymentLinks.create(link);
  const bounds = { minAmount: 10_000, maxAmount: 500_000 };
  await zimbo.paymentLinks.create({ description: 'Donativo para a escola', ...bounds });
  const { description, order: externalId, customer: customerId, metadata } = texts;
  const items = [
    { name: texts.product, quantity: 2, unitPrice: 45_000 },
    { name: 'Pastel com diabo dentro', quantity: 6, unitPrice: 6_000 },
  ];
  const named = { description, externalId, customerId, metadata };
  const session = await openSession(gateway, { items, ...named });
  const paidSession = await openSession(gateway, { description, amount: 60_000 });
  const body = new URLSearchParams({ phone: '9912371', operator: 'MOCK', attempt: '0' });
  const address = `${gateway.url}${new URL(paidSession.url).pathname}`;
  await fetch(address, { method: 'POST', body, redirect: 'manual' });
  await reachStatus(gateway, paidSession, 'COMPLETED');
  const over = await openSession(gateway, { description, amount: 70_000 });
  await zimbo.checkout.sessions.expire(over.id);
  return { session, paidSession, reusable, product: products[0]!.id };
}

/** Made in the console, so that the audit log names a person. */
async function addKey(owner: Member): Promise<string> {
  const key = randomUUID();
  const fields = {
    action: 'create',
    once: key,
    permissions: ['payments:read'],
    expires: '90',
  };
  const made = await owner.send('keys/new', {
    ...fields,
    label: keyLabel,
    addresses: '192.0.2.0/24',
  });
  if (made.status !== 200) throw new Error(`no key was made: ${made.status}`);
  const list = await owner.get('keys');
  return /keys\/(ak_\w+)"/.exec(list.text)![1]!;
}

/** Sums of the last weeks, and money that moved on earlier days. */
async function addHistory({ gateway: { database } }: TestConsole, tenantId: string): Promise<void> {
  await database.query(
    {
      text: `INSERT INTO payment_total_deltas
        SELECT $1, date_trunc('hour', now()) - n * interval '5 hours', 'MOCK', 'CVE', 'SUCCEEDED', '', 3 + n % 7,
          0, 100000 + (n * 7919 % 13) * 21000, 0 FROM generate_series(1, 200) n`,
    },
    [tenantId],
  );
  for (let day = 1; day <= 12; day += 1) {
    const at = Date.now() - day * 24 * hourMs;
    await book({ database, tenantId }, 'debit', randomUUID(), 123_400n + BigInt(day) * 9_900n, at);
  }
  // Booked after what is newer: the period that is open began with it all the same.
  const text = `UPDATE unsettled SET first_item_at = now() - interval '13 days' WHERE tenant_id = $1`;
  await database.query({ text }, [tenantId]);
}

interface Made {
  payments: Record<string, Payment>;
  failed: string;
  endpoint: string;
  disabledEndpoint: string;
}

/** What passes too quickly to be looked at, or never happens with simulated operators. */
async function changeRows({ gateway: { database } }: TestConsole, texts: Texts, made: Made) {
  const change = (text: string, values: unknown[]) => database.query({ text }, values);
  for (const status of shownStatuses) {
    const id = parseId('pi', made.payments[status]!.id);
    const due = status === 'EXPIRED' ? 'NULL' : tomorrow;
    await change(`UPDATE payments SET status = $2, due_at = ${due} WHERE id = $1`, [id, status]);
  }
  await change(`UPDATE payments SET failure_message = $1 WHERE status = 'FAILED'`, [
    texts.operatorError,
  ]);
  await change(`UPDATE refunds SET failure_message = $1 WHERE status = 'FAILED'`, [
    texts.operatorError,
  ]);
  await change(
    `UPDATE refunds SET status = 'PENDING', due_at = ${tomorrow} WHERE amount_minor = $1 AND status = 'SUCCEEDED'`,
    [10_000],
  );
  await change(
    `UPDATE settlements SET status = 'FAILED', payout_error = $2, completed_at = NULL WHERE id = $1`,
    [parseId('se', made.failed), texts.operatorError],
  );
  await change('UPDATE api_keys SET label = $1 WHERE label = $2', [texts.label, keyLabel]);
  await change(
    `UPDATE webhook_endpoints SET status = 'DISABLED', disabled_reason = 'FAILING' WHERE id = $1`,
    [parseId('we', made.disabledEndpoint)],
  );
  await change(
    `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
      SELECT tenant_id, gen_random_uuid(), 'CONTRADICTION', 'PAYMENT', id, operator, '{}', now() FROM payments WHERE id = $1`,
    [parseId('pi', made.payments.EXPIRED!.id)],
  );
}

/** Gives the request log failures. */
async function makeMistakes({ gateway }: TestConsole, { userAgent, order }: Texts): Promise<void> {
  const zimbo = zimboOf(gateway.url, gateway.key);
  await zimbo.payments.get('pi_nothing').catch(() => {});
  await zimbo.payments.create({ amount: -5, operator: 'MOCK', operatorPhone: '1' }).catch(() => {});
  const headers = { authorization: `Bearer ${gateway.key}`, 'user-agent': encodeURI(userAgent) };
  await fetch(`${gateway.url}/v1/payments?external_id=${encodeURIComponent(order)}`, { headers });
  // More entries than a page shows.
  await Promise.all(Array.from({ length: 60 }, () => zimbo.refunds.list().page()));
  await eventually('requests are in the log', async () => {
    const text = 'SELECT FROM api_request_chunks WHERE failed';
    return (await gateway.database.query({ text })).length > 0;
  });
}
