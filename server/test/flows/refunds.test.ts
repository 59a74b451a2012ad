import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { apiOf, eventually, type TestGateway, testGateway, testKey } from '../gateway.ts';
import { testReceiver } from '../receiver.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

async function reach({ api }: TestGateway, path: string, status: string) {
  return eventually(`${path} becomes ${status}`, async () => {
    const { body } = await api('GET', path);
    return body.status === status && body;
  });
}

/** The id of a payment that was debited. */
async function pay(gateway: TestGateway, operatorPhone = payment.operatorPhone): Promise<string> {
  const { body } = await gateway.api('POST', '/v1/payments', { ...payment, operatorPhone });
  await reach(gateway, `/v1/payments/${body.id}`, 'DEBITED');
  return body.id;
}

async function refund(gateway: TestGateway, paymentIntentId: string, body: object = {}) {
  return gateway.api('POST', '/v1/refunds', { paymentIntentId, ...body });
}

async function balancesOf({ database }: TestGateway) {
  const text = 'SELECT account, balance_minor AS minor FROM balances ORDER BY account';
  const rows = await database.query<{ account: string; minor: bigint }>({ text });
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}

/** The ledger is right, and settlements will take everything that touches what is payable. */
async function checkBooks({ database }: TestGateway): Promise<void> {
  assert.deepEqual(await checkLedger(database), []);
  const text = `SELECT kind FROM postings WHERE 'payable' IN (from_account, to_account) AND period IS NULL`;
  assert.deepEqual(await database.query({ text }), []);
}

test('a payment is refunded whole: PENDING, then SUCCEEDED, and the ledger balances', async (context) => {
  const gateway = await testGateway(context);
  const paymentIntentId = await pay(gateway);
  const metadata = { pedido: 7 };
  const created = await refund(gateway, paymentIntentId, { reason: 'devolução', metadata });
  assert.equal(created.status, 200, created.text);
  const { id, createdAt, updatedAt, ...rest } = created.body;
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
  const done = await reach(gateway, `/v1/refunds/${id}`, 'SUCCEEDED');
  assert.match(done.operatorRefundId, /^SIM/);
  const refunded = await gateway.api('GET', `/v1/payments/${paymentIntentId}`);
  assert.equal(refunded.body.status, 'REFUNDED');
  assert.equal(refunded.body.feeAmount, '200', 'the fee is not returned');
  assert.deepEqual(await balancesOf(gateway), {
    fees: 200,
    'operator:MOCK': 0,
    payable: -200,
    refunds_in_transit: 0,
  });
  await checkBooks(gateway);
});

test('parts are refunded until nothing is left', async (context) => {
  const gateway = await testGateway(context);
  const id = await pay(gateway);
  for (const [amount, status] of [
    [3_000, 'PARTIALLY_REFUNDED'],
    [3_000, 'PARTIALLY_REFUNDED'],
    [undefined, 'REFUNDED'],
  ] as const) {
    const { body } = await refund(gateway, id, amount ? { amount } : { amount: null });
    assert.equal(body.amount, String(amount ?? 4_000));
    await reach(gateway, `/v1/refunds/${body.id}`, 'SUCCEEDED');
    assert.equal((await gateway.api('GET', `/v1/payments/${id}`)).body.status, status);
    await checkBooks(gateway);
  }
  for (const body of [{}, { amount: 1 }]) {
    const refused = await refund(gateway, id, body);
    assert.equal(refused.status, 409);
    assert.equal(refused.body.error.code, 'REFUND_EXCEEDS_PAYMENT');
    assert.match(refused.body.error.message, /^Nothing of this payment is left/);
  }
});

test('more than is left is refused, and the message says what is left', async (context) => {
  const gateway = await testGateway(context);
  const id = await pay(gateway);
  const { body } = await refund(gateway, id, { amount: 9_000 });
  const refused = await refund(gateway, id, { amount: 1_001 });
  assert.equal(refused.status, 409);
  assert.equal(refused.body.error.code, 'REFUND_EXCEEDS_PAYMENT');
  assert.match(refused.body.error.message, /at most 1000\b/);
  await reach(gateway, `/v1/refunds/${body.id}`, 'SUCCEEDED');
  await checkBooks(gateway);
});

test('a settled payment can be refunded, in part and whole', async (context) => {
  const gateway = await testGateway(context);
  const id = await pay(gateway);
  await gateway.database.query({ text: `UPDATE payments SET status = 'SETTLED'` });
  const first = await refund(gateway, id, { amount: 1 });
  await reach(gateway, `/v1/refunds/${first.body.id}`, 'SUCCEEDED');
  assert.equal((await gateway.api('GET', `/v1/payments/${id}`)).body.status, 'PARTIALLY_REFUNDED');
  const rest = await refund(gateway, id);
  await reach(gateway, `/v1/refunds/${rest.body.id}`, 'SUCCEEDED');
  assert.equal((await gateway.api('GET', `/v1/payments/${id}`)).body.status, 'REFUNDED');
  await checkBooks(gateway);
});

test('a refund that fails at the operator gives its amount free again', async (context) => {
  const gateway = await testGateway(context);
  const id = await pay(gateway, '+2389912119');
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, body } = await refund(gateway, id);
    assert.equal(status, 200, 'the whole amount is free');
    const failed = await reach(gateway, `/v1/refunds/${body.id}`, 'FAILED');
    assert.equal(failed.failureCode, 'OPERATOR_REJECTED');
    assert.match(failed.failureMessage, /\.$/);
    assert.equal(failed.operatorRefundId, null);
  }
  assert.equal((await gateway.api('GET', `/v1/payments/${id}`)).body.status, 'DEBITED');
  assert.deepEqual(await balancesOf(gateway), {
    fees: 200,
    'operator:MOCK': -10_000,
    payable: 9_800,
    refunds_in_transit: 0,
  });
  await checkBooks(gateway);
});

test('what is not debited cannot be refunded', async (context) => {
  const gateway = await testGateway(context);
  for (const [phone, status] of [
    ['+2389912159', 'USER_CONFIRMING'],
    ['+2389912049', 'FAILED'],
  ] as const) {
    const { body } = await gateway.api('POST', '/v1/payments', {
      ...payment,
      operatorPhone: phone,
    });
    await reach(gateway, `/v1/payments/${body.id}`, status);
    const refused = await refund(gateway, body.id);
    assert.equal(refused.status, 409);
    assert.equal(refused.body.error.code, 'INVALID_STATE');
    assert.match(refused.body.error.message, new RegExp(status));
  }
});

test('an unknown payment, an ill-formed id and that of another tenant are 404', async (context) => {
  const gateway = await testGateway(context);
  const id = await pay(gateway);
  const stranger = apiOf(gateway.url, await testKey(gateway.database));
  const answers = [
    await refund(gateway, 'pi_01m7yhp3gfe04vkhm96w446fdc'),
    await refund(gateway, 'nothing'),
    await refund(gateway, id.replace('pi_', 're_')),
    await stranger('POST', '/v1/refunds', { paymentIntentId: id }),
  ];
  for (const { status, body } of answers) {
    assert.equal(status, 404);
    assert.equal(body.error.code, 'NOT_FOUND');
  }
  assert.deepEqual((await stranger('GET', '/v1/refunds')).body, { data: [], hasMore: false });
});

test('a body that is not right is refused by the name of its field', async (context) => {
  const gateway = await testGateway(context);
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
    const { status, body } = await refund(gateway, paymentIntentId, { [field]: value });
    assert.equal(status, 400, `${field} ${JSON.stringify(value)}`);
    assert.ok(body.error.message.includes(field), body.error.message);
  }
  assert.deepEqual((await gateway.api('GET', '/v1/refunds')).body.data, []);
});

test('200 refunds at once never exceed the payment', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const id = await pay(gateway);
  const amounts = Array.from({ length: 200 }, (_, index) => 50 + (index % 7) * 50);
  const answers = await Promise.all(amounts.map((amount) => refund(gateway, id, { amount })));
  const created = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  const sum = created.reduce((total, { body }) => total + Number(body.amount), 0);
  assert.ok(sum <= 10_000, `${sum} were taken`);
  assert.ok(sum > 10_000 - 50 * 7, `only ${sum} were taken`);
  for (const { status, body } of refused) {
    assert.equal(status, 409);
    assert.equal(body.error.code, 'REFUND_EXCEEDS_PAYMENT');
  }
  await eventually(
    'all refunds succeed',
    async () => {
      const text = `SELECT id FROM refunds WHERE status <> 'SUCCEEDED'`;
      return (await gateway.database.query({ text })).length === 0;
    },
    40_000,
  );
  await checkBooks(gateway);
  const { body } = await gateway.api('GET', `/v1/payments/${id}`);
  assert.equal(body.status, sum === 10_000 ? 'REFUNDED' : 'PARTIALLY_REFUNDED');
});

test('many requests at once under one key: one refund, the same bytes for all and for ever', async (context) => {
  const gateway = await testGateway(context);
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
  await reach(gateway, `/v1/refunds/${first!.body.id}`, 'SUCCEEDED');
  const again = await send({ metadata: { a: 2, b: 1 }, paymentIntentId });
  assert.equal(again.text, first!.text, 'although nothing is left of the payment');
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await gateway.api('GET', '/v1/refunds')).body.data.length, 1);
  const other = await send({ paymentIntentId, amount: 1 });
  assert.equal(other.status, 409);
  assert.equal(other.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
  await checkBooks(gateway);
});

test('one key for two payments at once refunds one of them', async (context) => {
  const gateway = await testGateway(context);
  const payments = await Promise.all([pay(gateway), pay(gateway), pay(gateway)]);
  const answers = await Promise.all(
    payments.map((paymentIntentId) =>
      gateway.api('POST', '/v1/refunds', { paymentIntentId }, { 'idempotency-key': 'one' }),
    ),
  );
  const reused = answers.filter(({ status }) => status === 409);
  assert.equal(reused.length, 2);
  for (const { body } of reused) assert.equal(body.error.code, 'IDEMPOTENCY_KEY_REUSED');
  const { body } = answers.find(({ status }) => status === 200)!;
  await reach(gateway, `/v1/refunds/${body.id}`, 'SUCCEEDED');
  await checkBooks(gateway);
});

test('a refused request leaves no trace of its key', async (context) => {
  const gateway = await testGateway(context);
  const paymentIntentId = await pay(gateway);
  const headers = { 'idempotency-key': 'k' };
  const send = (body: object) => gateway.api('POST', '/v1/refunds', body, headers);
  assert.equal((await send({ paymentIntentId, amount: 10_001 })).status, 409);
  assert.equal((await send({ paymentIntentId })).status, 200);
});

test('each status of a refund is told by an event that carries the refund', async (context) => {
  const gateway = await testGateway(context);
  const receiver = await testReceiver(context);
  const events = ['refund.created', 'refund.succeeded', 'refund.failed'];
  await gateway.api('POST', '/v1/webhooks', { url: receiver.url, events });
  const good = await refund(gateway, await pay(gateway));
  const bad = await refund(gateway, await pay(gateway, '+2389912119'), { amount: 5 });
  const told = async (created: typeof good, last: string) => {
    const of = () => receiver.received.filter(({ event }) => event.data.id === created.body.id);
    await eventually(`${last} arrives`, () => of().length === 2);
    const byType = new Map(of().map(({ event }) => [event.type, event.data]));
    assert.deepEqual(new Set(byType.keys()), new Set(['refund.created', last]));
    assert.deepEqual(byType.get('refund.created'), created.body);
    const { body } = await gateway.api('GET', `/v1/refunds/${created.body.id}`);
    assert.deepEqual(byType.get(last), body);
  };
  await told(good, 'refund.succeeded');
  await told(bad, 'refund.failed');
});

test('refunds are listed newest first, by payment and by status', async (context) => {
  const gateway = await testGateway(context);
  const [one, other] = [await pay(gateway), await pay(gateway, '+2389912119')];
  const made: string[] = [];
  for (const id of [one, one, other]) {
    made.push((await refund(gateway, id, { amount: 10 })).body.id);
  }
  await reach(gateway, `/v1/refunds/${made[0]}`, 'SUCCEEDED');
  await reach(gateway, `/v1/refunds/${made[1]}`, 'SUCCEEDED');
  await reach(gateway, `/v1/refunds/${made[2]}`, 'FAILED');
  const list = async (query: string) => {
    const { body } = await gateway.api('GET', `/v1/refunds?${query}`);
    return body.data.map(({ id }: { id: string }) => made.indexOf(id));
  };
  assert.deepEqual(await list(''), [2, 1, 0]);
  assert.deepEqual(await list(`payment_intent_id=${one}`), [1, 0]);
  assert.deepEqual(await list('status=FAILED'), [2]);
  assert.deepEqual(await list(`status=FAILED&payment_intent_id=${one}`), []);
  assert.deepEqual(await list('payment_intent_id=nothing'), []);
  assert.deepEqual(await list(`limit=1&starting_after=${made[1]}`), [0]);
  for (const query of ['status=DONE', 'starting_after=nothing', 'x=1']) {
    assert.equal((await gateway.api('GET', `/v1/refunds?${query}`)).status, 400, query);
  }
});
