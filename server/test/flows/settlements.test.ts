import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreatePaymentBody } from '../../../sdk/src/index.ts';
import { noHandover } from '../../src/events/handover.ts';
import { checkLedger } from '../../src/ledger/check.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { parseId, randomIds } from '../../src/platform/ids.ts';
import { completeSettlement, failSettlement } from '../../src/settlements/finish.ts';
import { findSettlementById } from '../../src/settlements/store.ts';
import { eventually, reach, type TestGateway, testGateway } from '../gateway.ts';
import { testReceiver } from '../receiver.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

async function debit(
  { zimbo }: TestGateway,
  change: Partial<CreatePaymentBody> = {},
): Promise<string> {
  const { id } = await zimbo.payments.create({ ...payment, ...change });
  await reach(zimbo.payments, id, 'DEBITED');
  return id;
}

/** From now on the test tenant's money counts as real: what completes a settlement is somebody's word. */
async function makeLive({ database }: TestGateway): Promise<void> {
  await database.query({ text: `DELETE FROM tenants WHERE mode = 'live'` });
  await database.query({ text: `UPDATE tenants SET mode = 'live'` });
}

/** Without the comparison with the simulator, which is made for test tenants only. */
async function bookProblems({ database }: TestGateway) {
  return (await checkLedger(database)).filter(({ check }) => check !== 'operator');
}

test('a settlement takes what is payable, pays it out and tells the payments', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const receiver = await testReceiver(context);
  await zimbo.webhooks.create({
    url: receiver.url,
    events: ['settlement.completed', 'payment.settled'],
  });
  const ids = [await debit(gateway), await debit(gateway, { amount: 5_000 })];
  assert.deepEqual(await zimbo.balance.get(), {
    data: [{ currency: 'CVE', available: '14700', pending: '0', refundsInTransit: '0' }],
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

test('the oldest currency first, until 204', async (context) => {
  const gateway = await testGateway(context);
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

test('twenty requests at once cut one settlement', async (context) => {
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

test('a key brings the same settlement again', async (context) => {
  const gateway = await testGateway(context);
  await debit(gateway);
  const headers = { 'idempotency-key': 'settle-1' };
  const process = (body: object) => gateway.api('POST', '/v1/settlements/process', body, headers);
  const first = await process({});
  await reach(gateway.zimbo.settlements, first.body.id, 'COMPLETED');
  await debit(gateway);
  assert.equal((await process({})).text, first.text);
  assert.equal((await process({ currency: 'CVE' })).status, 409);
});

test('in live mode a settlement waits for the bank; while it is open there is no other', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo } = gateway;
  const parts = {
    database: gateway.database,
    clock: systemClock,
    ids: randomIds(),
    handover: noHandover,
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
    gateway.database.transaction((database) => failSettlement({ ...parts, database }, settlement));
  await assert.rejects(fail(leased), /handed over right now/);
  const failed = await fail(seen);
  assert.equal(failed.status, 'FAILED');
  await assert.rejects(completeSettlement(parts, seen), /It has changed just now/);
  assert.equal((await zimbo.payments.get(first)).status, 'DEBITED');
  assert.equal((await zimbo.balance.get()).data[0]?.available, '9800');
  assert.deepEqual(await bookProblems(gateway), []);

  const second = (await process())!;
  assert.equal(second.netAmount, '9800', 'what the failed one took is taken again');
  await reach(zimbo.settlements, second.id, 'PROCESSING');
  const now = (await findSettlementById(gateway.database, parseId('se', second.id)!))!;
  await eventually('it can be completed', async () => {
    const latest = (await findSettlementById(gateway.database, now.id))!;
    return completeSettlement(parts, latest).then(
      () => true,
      () => false,
    );
  });
  await reach(zimbo.payments, first, 'SETTLED');
  assert.deepEqual(await bookProblems(gateway), []);
});
