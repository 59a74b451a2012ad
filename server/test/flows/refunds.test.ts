import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListRefundsQuery, Refund } from '../../../sdk/typescript/src/index.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import {
  eventually,
  reach,
  type TestGateway,
  testGateway,
  testKey,
  zimboOf,
} from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK' } as const;
const exceeds = { code: 'REFUND_EXCEEDS_PAYMENT', status: 409 };
const keyReused = { code: 'IDEMPOTENCY_KEY_REUSED', status: 409 };

/** The id of a debited payment. */
async function pay({ zimbo }: TestGateway, operatorPhone = '+2389912345'): Promise<string> {
  const { id } = await zimbo.payments.create({ ...payment, operatorPhone });
  await reach(zimbo.payments, id, 'DEBITED');
  return id;
}

async function balancesOf({ database }: TestGateway) {
  const text = 'SELECT account, balance_minor AS minor FROM balances ORDER BY account';
  const rows = await database.query<{ account: string; minor: bigint }>({ text });
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}

/** The ledger is right, and settlements will take every posting that affects the payable balance. */
async function assertLedger({ database }: TestGateway): Promise<void> {
  assert.deepEqual(await checkLedger(database), []);
  const text = `SELECT kind FROM postings WHERE 'payable' IN (from_account, to_account) AND period IS NULL`;
  assert.deepEqual(await database.query({ text }), []);
}

test('refunds a whole payment: PENDING, then SUCCEEDED, and balances the ledger', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const paymentIntentId = await pay(gateway);
  const metadata = { pedido: 7 };
  const created = await zimbo.refunds.create({ paymentIntentId, reason: 'devolução', metadata });
  const { id, createdAt, updatedAt, ...rest } = created;
  assert.match(id, /^re_[0-9a-z]{26}$/);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    paymentIntentId,
    amount: '10000',
    currency: 'CVE',
    status: 'PENDING',
    reason: 'devolução',
    failureCode: null,
    failureMessage: null,
    operatorRefundId: null,
    metadata,
  });
  const done = await reach(zimbo.refunds, id, 'SUCCEEDED');
  assert.match(done.operatorRefundId!, /^SIM/);
  const refunded = await zimbo.payments.get(paymentIntentId);
  assert.equal(refunded.status, 'REFUNDED');
  assert.equal(refunded.feeAmount, '200', 'the fee is not returned');
  assert.deepEqual(await balancesOf(gateway), {
    fees: 200,
    'operator:MOCK': 0,
    payable: -200,
    refunds_in_transit: 0,
  });
  await assertLedger(gateway);
});

test('refunds parts until nothing is left', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const id = await pay(gateway);
  for (const [amount, status] of [
    [3_000, 'PARTIALLY_REFUNDED'],
    [3_000, 'PARTIALLY_REFUNDED'],
    [undefined, 'REFUNDED'],
  ] as const) {
    const refund = await zimbo.refunds.create({ paymentIntentId: id, amount: amount ?? null });
    assert.equal(refund.amount, String(amount ?? 4_000));
    await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
    assert.equal((await zimbo.payments.get(id)).status, status);
    await assertLedger(gateway);
  }
  for (const amount of [undefined, 1]) {
    const refused = zimbo.refunds.create({ paymentIntentId: id, amount });
    await assert.rejects(refused, { ...exceeds, message: /^Nothing of this payment is left/ });
  }
});

test('refuses more than the remainder, and says how much is left', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const id = await pay(gateway);
  const refund = await zimbo.refunds.create({ paymentIntentId: id, amount: 9_000 });
  const refused = zimbo.refunds.create({ paymentIntentId: id, amount: 1_001 });
  await assert.rejects(refused, { ...exceeds, message: /at most 1000\b/ });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  await assertLedger(gateway);
});

test('refunds a settled payment, in part and whole', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const id = await pay(gateway);
  await gateway.database.query({ text: `UPDATE payments SET status = 'SETTLED'` });
  const first = await zimbo.refunds.create({ paymentIntentId: id, amount: 1 });
  await reach(zimbo.refunds, first.id, 'SUCCEEDED');
  assert.equal((await zimbo.payments.get(id)).status, 'PARTIALLY_REFUNDED');
  const rest = await zimbo.refunds.create({ paymentIntentId: id });
  await reach(zimbo.refunds, rest.id, 'SUCCEEDED');
  assert.equal((await zimbo.payments.get(id)).status, 'REFUNDED');
  await assertLedger(gateway);
});

test('releases the amount of a refund that fails at the operator', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const id = await pay(gateway, '+2389912119');
  for (let attempt = 0; attempt < 2; attempt++) {
    const refund = await zimbo.refunds.create({ paymentIntentId: id });
    assert.equal(refund.amount, '10000', 'the whole amount is free');
    const failed = await reach(zimbo.refunds, refund.id, 'FAILED');
    assert.equal(failed.failureCode, 'OPERATOR_REJECTED');
    assert.match(failed.failureMessage!, /\.$/);
    assert.equal(failed.operatorRefundId, null);
  }
  assert.equal((await zimbo.payments.get(id)).status, 'DEBITED');
  assert.deepEqual(await balancesOf(gateway), {
    fees: 200,
    'operator:MOCK': -10_000,
    payable: 9_800,
    refunds_in_transit: 0,
  });
  await assertLedger(gateway);
});

test('refuses to refund a payment that is not debited', async () => {
  const { zimbo } = await sharedGateway();
  for (const [operatorPhone, status] of [
    ['+2389912159', 'USER_CONFIRMING'],
    ['+2389912049', 'FAILED'],
  ] as const) {
    const { id } = await zimbo.payments.create({ ...payment, operatorPhone });
    await reach(zimbo.payments, id, status);
    const refused = zimbo.refunds.create({ paymentIntentId: id });
    const message = new RegExp(status);
    await assert.rejects(refused, { code: 'INVALID_STATE', status: 409, message });
  }
});

test('answers 404 to an unknown payment, a malformed id and that of another tenant', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const id = await pay(gateway);
  const stranger = zimboOf(gateway.url, await testKey(gateway.database));
  for (const [client, paymentIntentId] of [
    [zimbo, 'pi_01m7yhp3gfe04vkhm96w446fdc'],
    [zimbo, 'nothing'],
    [zimbo, id.replace('pi_', 're_')],
    [stranger, id],
  ] as const) {
    const refused = client.refunds.create({ paymentIntentId });
    await assert.rejects(refused, { code: 'NOT_FOUND', status: 404 });
  }
  assert.deepEqual(await stranger.refunds.list().page(), { data: [], hasMore: false });
});

test('rejects a wrong body by the name of its field', async () => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const paymentIntentId = await pay(gateway);
  const amounts = [0, -1, 1.5, '100', 2 ** 53, true].map((amount) => ['amount', amount] as const);
  const others = [
    ['reason', 'x'.repeat(256)],
    ['reason', 1],
    ['metadata', []],
    ['nothing', 1],
    ['paymentIntentId', null],
  ] as const;
  for (const [field, value] of [...amounts, ...others]) {
    const wrong = { paymentIntentId, [field]: value };
    const { status, body } = await gateway.api('POST', '/v1/refunds', wrong);
    assert.equal(status, 400, `${field} ${JSON.stringify(value)}`);
    assert.ok(body.error.message.includes(field), body.error.message);
  }
  assert.deepEqual((await zimbo.refunds.list().page()).data, []);
});

test('never exceeds the payment with 200 refunds at once', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const { zimbo } = gateway;
  const id = await pay(gateway);
  const amounts = Array.from({ length: 200 }, (_, index) => 50 + (index % 7) * 50);
  const answers = await Promise.allSettled(
    amounts.map((amount) => zimbo.refunds.create({ paymentIntentId: id, amount })),
  );
  const created = answers.filter((answer) => answer.status === 'fulfilled');
  const refused = answers.filter((answer) => answer.status === 'rejected');
  const sum = created.reduce((total, { value }) => total + Number(value.amount), 0);
  assert.ok(sum <= 10_000, `${sum} were taken`);
  assert.ok(sum > 10_000 - 50 * 7, `only ${sum} were taken`);
  for (const { reason } of refused) assert.equal(reason.code, exceeds.code, String(reason));
  await eventually(
    'all refunds succeed',
    async () => {
      const text = `SELECT id FROM refunds WHERE status <> 'SUCCEEDED'`;
      return (await gateway.database.query({ text })).length === 0;
    },
    40_000,
  );
  await assertLedger(gateway);
  const { status } = await zimbo.payments.get(id);
  assert.equal(status, sum === 10_000 ? 'REFUNDED' : 'PARTIALLY_REFUNDED');
});

test('makes one refund for many requests at once under one key, with the same bytes for all and for ever', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const paymentIntentId = await pay(gateway);
  const send = (body: object) =>
    gateway.api('POST', '/v1/refunds', body, { 'idempotency-key': 'refund-1' });
  const body = { paymentIntentId, metadata: { b: 1, a: 2 } };
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(body)));
  const [first] = answers;
  for (const { status, text } of answers) {
    assert.equal(status, 200);
    assert.equal(text, first!.text);
  }
  assert.equal(answers.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1);
  await reach(zimbo.refunds, first!.body.id, 'SUCCEEDED');
  const again = await send({ metadata: { a: 2, b: 1 }, paymentIntentId });
  assert.equal(again.text, first!.text, 'although nothing is left of the payment');
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await zimbo.refunds.list().page()).data.length, 1);
  const other = await send({ paymentIntentId, amount: 1 });
  assert.equal(other.status, 409);
  assert.equal(other.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
  await assertLedger(gateway);
});

test('refunds one of two payments under one key at once', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const payments = await Promise.all([pay(gateway), pay(gateway), pay(gateway)]);
  const answers = await Promise.allSettled(
    payments.map((paymentIntentId) =>
      zimbo.refunds.create({ paymentIntentId }, { idempotencyKey: 'one' }),
    ),
  );
  const reused = answers.filter((answer) => answer.status === 'rejected');
  assert.equal(reused.length, 2);
  for (const { reason } of reused) assert.equal(reason.code, keyReused.code, String(reason));
  const [created] = answers.filter((answer) => answer.status === 'fulfilled');
  await reach(zimbo.refunds, created!.value.id, 'SUCCEEDED');
  await assertLedger(gateway);
});

test('forgets the key of a refused request', async () => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const paymentIntentId = await pay(gateway);
  const send = (amount?: number) =>
    zimbo.refunds.create({ paymentIntentId, amount }, { idempotencyKey: 'k' });
  await assert.rejects(send(10_001), exceeds);
  assert.equal((await send()).amount, '10000');
});

test('reports each status of a refund by an event that contains the refund', async (context) => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({
    url: receiver.url,
    events: ['refund.created', 'refund.succeeded', 'refund.failed'],
  });
  const good = await zimbo.refunds.create({ paymentIntentId: await pay(gateway) });
  const poor = await pay(gateway, '+2389912119');
  const bad = await zimbo.refunds.create({ paymentIntentId: poor, amount: 5 });
  const told = async (created: Refund, last: string) => {
    const of = () => receiver.received.filter(({ event }) => event.data.id === created.id);
    await eventually(`${last} arrives`, () => of().length === 2);
    const byType = new Map(of().map(({ event }) => [event.type, event.data]));
    assert.deepEqual(new Set(byType.keys()), new Set(['refund.created', last]));
    assert.deepEqual(byType.get('refund.created'), created);
    assert.deepEqual(byType.get(last), await zimbo.refunds.get(created.id));
  };
  await told(good, 'refund.succeeded');
  await told(bad, 'refund.failed');
});

test('lists refunds newest first, by payment and by status', async () => {
  const gateway = await sharedGateway();
  const { zimbo, api } = gateway;
  const [one, other] = [await pay(gateway), await pay(gateway, '+2389912119')];
  const made: string[] = [];
  for (const paymentIntentId of [one, one, other]) {
    made.push((await zimbo.refunds.create({ paymentIntentId, amount: 10 })).id);
  }
  await reach(zimbo.refunds, made[0]!, 'SUCCEEDED');
  await reach(zimbo.refunds, made[1]!, 'SUCCEEDED');
  await reach(zimbo.refunds, made[2]!, 'FAILED');
  const list = async (query: ListRefundsQuery) => {
    const { data } = await zimbo.refunds.list(query).page();
    return data.map(({ id }) => made.indexOf(id));
  };
  assert.deepEqual(await list({}), [2, 1, 0]);
  assert.deepEqual(await list({ paymentIntentId: one }), [1, 0]);
  assert.deepEqual(await list({ status: 'FAILED' }), [2]);
  assert.deepEqual(await list({ status: 'FAILED', paymentIntentId: one }), []);
  assert.deepEqual(await list({ paymentIntentId: 'nothing' }), []);
  assert.deepEqual(await list({ limit: 1, startingAfter: made[1] }), [0]);
  for (const query of ['status=DONE', 'starting_after=nothing', 'x=1']) {
    assert.equal((await api('GET', `/v1/refunds?${query}`)).status, 400, query);
  }
});
