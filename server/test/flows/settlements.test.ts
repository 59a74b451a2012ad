import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreatePaymentBody } from '../../../sdk/typescript/src/index.ts';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { completeSettlement, failSettlement } from '../../src/money/settlements/finish.ts';
import { findSettlementById } from '../../src/money/settlements/store.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { noFourEyes } from '../../src/platform/values/four-eyes.ts';
import { parseId, randomIds } from '../../src/platform/values/ids.ts';
import { eventually, reach, type TestGateway, testGateway } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { ledgerProblems, makeLive } from '../support/settled.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

async function debit(
  { zimbo }: TestGateway,
  change: Partial<CreatePaymentBody> = {},
): Promise<string> {
  const { id } = await zimbo.payments.create({ ...payment, ...change });
  await reach(zimbo.payments, id, 'DEBITED');
  return id;
}

test('takes the payable balance into a settlement, pays it out and marks the payments settled', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({
    url: receiver.url,
    events: ['settlement.completed', 'payment.settled'],
  });
  const ids = [await debit(gateway), await debit(gateway, { amount: 5_000 })];
  assert.deepEqual(await zimbo.balance.get(), {
    data: [
      {
        currency: 'CVE',
        available: '14700',
        pending: '0',
        refundsInTransit: '0',
        disbursementsInTransit: '0',
      },
    ],
  });
  const cut = (await zimbo.settlements.process())!;
  const { id, merchantId, periodStart, periodEnd, createdAt, ...rest } = cut;
  assert.match(id, /^se_/);
  assert.match(merchantId, /^me_/);
  assert.ok(periodStart < periodEnd && periodEnd === createdAt);
  assert.deepEqual(rest, {
    amount: '15000',
    feeTotal: '300',
    refundTotal: '0',
    disbursementTotal: '0',
    netAmount: '14700',
    currency: 'CVE',
    status: 'PENDING',
    payoutRef: null,
    itemCount: 2,
    processedAt: null,
    completedAt: null,
  });
  const completed = await reach(zimbo.settlements, id, 'COMPLETED');
  assert.equal(completed.payoutRef, `test-${id}.csv`);
  for (const paymentId of ids) await reach(zimbo.payments, paymentId, 'SETTLED');
  await eventually('three events', () => receiver.received.length === 3);
  await eventually('nothing is left to do', async () => {
    const text = 'SELECT id FROM settlements WHERE due_at IS NOT NULL';
    return (await gateway.database.query({ text })).length === 0;
  });
  const told = receiver.received.map(({ event }) => event.type).sort((a, b) => a.localeCompare(b));
  assert.deepEqual(told, ['payment.settled', 'payment.settled', 'settlement.completed']);
  const told1 = receiver.received.find(({ event }) => event.type === 'settlement.completed');
  assert.deepEqual(told1?.event.data, completed);
  const again = await gateway.api('POST', '/v1/settlements/process');
  assert.equal(again.status, 204);
  assert.equal(again.text, '');
  assert.equal((await zimbo.balance.get()).data[0]?.available, '0');
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('settles the oldest currency first, until 204', async () => {
  const gateway = await sharedGateway();
  await debit(gateway, { currency: 'AOA' });
  await debit(gateway);
  const { settlements } = gateway.zimbo;
  assert.equal((await settlements.process())?.currency, 'AOA');
  assert.equal((await settlements.process())?.currency, 'CVE');
  assert.equal(await settlements.process(), undefined);
  const { data } = await settlements.list().page();
  assert.deepEqual(
    data.map(({ currency }) => currency),
    ['CVE', 'AOA'],
  );
});

test('cuts one settlement for twenty requests at once', async (context) => {
  const gateway = await testGateway(context);
  await debit(gateway);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      gateway.api('POST', '/v1/settlements/process', { currency: 'CVE' }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.ok(answers.every(({ status }) => [200, 204, 409].includes(status)));
  assert.deepEqual(await checkLedger(gateway.database), []);
});

test('returns the same settlement for a repeated key', async () => {
  const gateway = await sharedGateway();
  await debit(gateway);
  const headers = { 'idempotency-key': 'settle-1' };
  const process = (body: object) => gateway.api('POST', '/v1/settlements/process', body, headers);
  const first = await process({});
  await reach(gateway.zimbo.settlements, first.body.id, 'COMPLETED');
  await debit(gateway);
  assert.equal((await process({})).text, first.text);
  assert.equal((await process({ currency: 'CVE' })).status, 409);
});

test('waits for the bank with a live settlement, and cuts no other while it is open', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const dependencies = {
    fourEyes: noFourEyes,
    database: gateway.database,
    clock: systemClock,
    ids: randomIds(),
    dispatcher: noDispatcher,
  };
  const first = await debit(gateway);
  await makeLive(gateway);
  const process = () => zimbo.settlements.process({ currency: 'CVE' });
  const cut = (await process())!;
  const open = await reach(zimbo.settlements, cut.id, 'PROCESSING');
  assert.equal(open.payoutRef, `${cut.id}.csv`);
  assert.equal((await zimbo.balance.get()).data[0]?.pending, '9800');
  assert.equal(await process(), undefined, 'nothing new is payable');
  const payable = (change: string) =>
    gateway.database.query({ text: `UPDATE unsettled SET gross_minor = gross_minor ${change}` });
  await payable('+ 500');
  await assert.rejects(process(), { code: 'INVALID_STATE', status: 409 });
  await payable('- 500');
  await eventually('it rests', async () => {
    const seen = await findSettlementById(gateway.database, parseId('se', cut.id)!);
    return seen?.dueAtMs === null;
  });

  const seen = (await findSettlementById(gateway.database, parseId('se', cut.id)!))!;
  const leased = { ...seen, dueAtMs: systemClock.nowMs() + 60_000 };
  const fail = (settlement: typeof seen) =>
    gateway.database.transaction((database) =>
      failSettlement({ ...dependencies, database }, settlement),
    );
  await assert.rejects(fail(leased), /written right now/);
  const failed = await fail(seen);
  assert.equal(failed.status, 'FAILED');
  await assert.rejects(completeSettlement(dependencies, seen), /It has just changed/);
  assert.equal((await zimbo.payments.get(first)).status, 'DEBITED');
  assert.equal((await zimbo.balance.get()).data[0]?.available, '9800');
  assert.deepEqual(await ledgerProblems(gateway), []);

  const second = (await process())!;
  assert.equal(second.netAmount, '9800', 'what the failed one took is taken again');
  await reach(zimbo.settlements, second.id, 'PROCESSING');
  const now = (await findSettlementById(gateway.database, parseId('se', second.id)!))!;
  await eventually('it can be completed', async () => {
    const latest = (await findSettlementById(gateway.database, now.id))!;
    return completeSettlement(dependencies, latest).then(
      () => true,
      () => false,
    );
  });
  await reach(zimbo.payments, first, 'SETTLED');
  assert.deepEqual(await ledgerProblems(gateway), []);
});

test('lists the payments and refunds in a settlement page by page, adding up to it', async () => {
  const gateway = await sharedGateway();
  const { zimbo, api } = gateway;
  const refundedLater = '+2389912119';
  const ids = [await debit(gateway), await debit(gateway, { operatorPhone: refundedLater })];
  const out = await zimbo.refunds.create({ paymentIntentId: ids[0]!, amount: 1_000 });
  await reach(zimbo.refunds, out.id, 'SUCCEEDED');
  const back = await zimbo.refunds.create({ paymentIntentId: ids[1]!, amount: 2_000 });
  await reach(zimbo.refunds, back.id, 'FAILED');
  const settlement = (await zimbo.settlements.process())!;
  const later = await debit(gateway);
  const walk = async (limit: number) =>
    Array.fromAsync(zimbo.settlements.items(settlement.id, { limit }));
  const items = await walk(2);
  const shown = items.map((one) => [one.id, one.type, one.amount, one.feeAmount, one.netAmount]);
  assert.deepEqual(shown, [
    [back.id, 'REFUND', '2000', '0', '-2000'],
    [back.id.replace('re_', 'rb_'), 'REFUND_RETURNED', '2000', '0', '2000'],
    [out.id, 'REFUND', '1000', '0', '-1000'],
    [ids[1], 'PAYMENT', '10000', '200', '9800'],
    [ids[0], 'PAYMENT', '10000', '200', '9800'],
  ]);
  assert.deepEqual(
    items.map(({ paymentIntentId, refundId }) => [paymentIntentId, refundId]),
    [
      [ids[1], back.id],
      [ids[1], back.id],
      [ids[0], out.id],
      [ids[1], null],
      [ids[0], null],
    ],
  );
  assert.equal(items.length, settlement.itemCount);
  const sum = items.reduce((total, { netAmount }) => total + BigInt(netAmount), 0n);
  assert.equal(String(sum), settlement.netAmount);
  for (const limit of [1, 3, 5, 100]) assert.deepEqual(await walk(limit), items, String(limit));

  const csv = await zimbo.settlements.itemsCsv(settlement.id);
  const [headings, ...lines] = csv.trimEnd().split('\n');
  assert.equal(
    headings,
    'id,type,payment_intent_id,refund_id,amount,fee_amount,net_amount,currency,created_at,disbursement_id',
  );
  assert.deepEqual(
    lines,
    items.map((one) => Object.values(one).join(',')),
  );
  const next = (await zimbo.settlements.process())!;
  const ofNext = await Array.fromAsync(zimbo.settlements.items(next.id));
  assert.deepEqual(
    ofNext.map(({ id }) => id),
    [later],
  );
  const path = `/v1/settlements/${settlement.id}/items`;
  for (const id of ['x', settlement.id, '']) {
    assert.equal((await api('GET', `${path}?starting_after=${id}`)).status, 400, id);
  }
  const unknown = `/v1/settlements/se_${'0'.repeat(26)}`;
  assert.equal((await api('GET', `${unknown}/items`)).status, 404);
  assert.equal((await api('GET', `${unknown}/items.csv`)).status, 404);
});

test("charges the rate limit for the length of a settlement's file, and audits each download", async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: '1/1000' } });
  const { zimbo, api, database } = gateway;
  await debit(gateway);
  const { id } = (await zimbo.settlements.process())!;
  await database.query({
    text: `INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at, period)
      SELECT tenant_id, gen_random_uuid(), kind, from_account, to_account, currency, amount_minor, created_at, period
      FROM postings CROSS JOIN generate_series(1, 20000) WHERE kind = 'debit_net'`,
  });
  // Without ANALYZE, PostgreSQL still plans for a single row.
  await database.query({ text: 'ANALYZE postings' });
  const leftAfter = async (path: string) => {
    const { headers, status, text } = await api('GET', path);
    return { status, text, left: Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')![1]) };
  };
  const file = await leftAfter(`/v1/settlements/${id}/items.csv`);
  assert.equal(file.text.trimEnd().split('\n').length, 20_002);
  const { left } = await leftAfter('/v1/balance');
  const weight = Math.floor(file.text.length / 65_536);
  context.diagnostic(`${file.text.length} bytes; ${file.left} were left, then ${left}`);
  // Some tokens come back while the file is read.
  assert.ok(weight > 30 && file.left - left > weight / 2, `${file.left} were left, then ${left}`);

  await leftAfter(`/v1/settlements/${id}/items`);
  const unknown = await leftAfter(`/v1/settlements/se_${'0'.repeat(26)}/items.csv`);
  assert.equal(unknown.status, 404);
  const text = `SELECT actor LIKE 'key:ak_%' AS "isKey", origin, subject FROM audit_records
    WHERE action = 'settlement.exported'`;
  const origin = '127.0.0.1';
  assert.deepEqual(await database.query({ text }), [{ isKey: true, origin, subject: id }]);
});
