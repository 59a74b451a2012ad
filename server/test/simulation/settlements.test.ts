import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { testDatabase } from '../support/database.ts';
import { World } from './world.ts';

/** Fees are 2 % plus 50: 10000 has a fee of 250 and leaves 9750. */
async function begin(context: TestContext): Promise<World> {
  const { database } = await testDatabase(context);
  const world = new World(database);
  await world.begin();
  return world;
}

async function debit(world: World, amountMinor: bigint, suffix = '345'): Promise<string> {
  await world.create(amountMinor, suffix);
  await world.work();
  return world.payments.at(-1)!;
}

/** Creates a settlement; returns its gross, fees, refunds, net and items. */
async function cut(world: World) {
  const settlement = await world.settle();
  if (!settlement) return undefined;
  const { grossMinor, feeMinor, refundMinor, netMinor, itemCount } = settlement;
  return [grossMinor, feeMinor, refundMinor, netMinor, itemCount].map(Number);
}

async function balances({ database }: World): Promise<Record<string, number>> {
  const text = 'SELECT account, balance_minor AS balance FROM balances WHERE balance_minor <> 0';
  const rows = await database.query<{ account: string; balance: bigint }>({ text });
  return Object.fromEntries(rows.map(({ account, balance }) => [account, Number(balance)]));
}

async function statusOf({ database }: World, id: string): Promise<string | undefined> {
  const text = 'SELECT status FROM payments WHERE id = $1';
  return (await database.query<{ status: string }>({ text }, [id]))[0]?.status;
}

async function markedSettled({ database }: World): Promise<string[]> {
  const text = `SELECT object_id AS id FROM events WHERE type = 'payment.settled' ORDER BY id`;
  return (await database.query<{ id: string }>({ text })).map(({ id }) => id);
}

test('settles a payment that was fully refunded earlier only once other payments outweigh its fee', async (context) => {
  const world = await begin(context);
  const refunded = await debit(world, 10_000n);
  await world.refund(refunded, null);
  await world.work();
  assert.equal(await cut(world), undefined, 'net would be -250');
  const other = await debit(world, 20_000n);
  assert.deepEqual(await cut(world), [30_000, 700, 10_000, 19_300, 3]);
  await world.finish('complete');
  assert.equal(await statusOf(world, refunded), 'REFUNDED');
  assert.equal(await statusOf(world, other), 'SETTLED');
  assert.deepEqual(await markedSettled(world), [other]);
  assert.deepEqual(await balances(world), { 'operator:MOCK': -20_000, bank: 19_300, fees: 700 });
  assert.deepEqual(await checkLedger(world.database), []);
});

test('deducts a refund in flight, which may succeed after the settlement', async (context) => {
  const world = await begin(context);
  const payment = await debit(world, 10_000n);
  await world.refund(payment, 4_000n);
  assert.deepEqual(await cut(world), [10_000, 250, 4_000, 5_750, 2]);
  await world.work();
  await world.finish('complete');
  assert.equal(await statusOf(world, payment), 'PARTIALLY_REFUNDED');
  assert.deepEqual(await markedSettled(world), [payment]);
  assert.deepEqual(await balances(world), { 'operator:MOCK': -6_000, bank: 5_750, fees: 250 });
  assert.deepEqual(await checkLedger(world.database), []);
});

test('pays back a deducted refund that failed, with the next settlement', async (context) => {
  const world = await begin(context);
  const payment = await debit(world, 10_000n, '119');
  await world.refund(payment, 4_000n);
  assert.deepEqual(await cut(world), [10_000, 250, 4_000, 5_750, 2]);
  await world.finish('complete');
  await world.work();
  assert.deepEqual(await cut(world), [0, 0, -4_000, 4_000, 1]);
  await world.finish('complete');
  assert.equal(await statusOf(world, payment), 'SETTLED');
  assert.deepEqual(await markedSettled(world), [payment]);
  assert.deepEqual(await balances(world), { 'operator:MOCK': -10_000, bank: 9_750, fees: 250 });
  assert.deepEqual(await checkLedger(world.database), []);
});

test('deducts a later refund from the next settlement', async (context) => {
  const world = await begin(context);
  const payment = await debit(world, 10_000n);
  assert.deepEqual(await cut(world), [10_000, 250, 0, 9_750, 1]);
  await world.finish('complete');
  assert.equal(await statusOf(world, payment), 'SETTLED');
  await world.refund(payment, 3_000n);
  await world.work();
  assert.equal(await statusOf(world, payment), 'PARTIALLY_REFUNDED');
  assert.equal(await cut(world), undefined, 'net would be -3000');
  await debit(world, 10_000n);
  assert.deepEqual(await cut(world), [10_000, 250, 3_000, 6_750, 2]);
  await world.finish('complete');
  assert.deepEqual(await balances(world), { 'operator:MOCK': -17_000, bank: 16_500, fees: 500 });
  assert.deepEqual(await checkLedger(world.database), []);
});

test('settles a failed settlement with its refunds again', async (context) => {
  const world = await begin(context);
  const payment = await debit(world, 10_000n);
  await world.refund(payment, 2_000n);
  await world.work();
  assert.deepEqual(await cut(world), [10_000, 250, 2_000, 7_750, 2]);
  await world.finish('fail');
  assert.deepEqual(await markedSettled(world), []);
  assert.equal((await balances(world)).payable, 7_750);
  const other = await debit(world, 5_000n);
  assert.deepEqual(await cut(world), [15_000, 400, 2_000, 12_600, 3]);
  await world.finish('complete');
  assert.deepEqual(await markedSettled(world), [payment, other]);
  assert.deepEqual(await balances(world), { 'operator:MOCK': -13_000, bank: 12_600, fees: 400 });
  assert.deepEqual(await checkLedger(world.database), []);
});
