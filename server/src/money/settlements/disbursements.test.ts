/** Disbursements in settlements, their items, statements, fees and balances, which all add up to the ledger. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { append, bookDisbursement, bookStep } from '../../../test/support/booked-disbursement.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { book } from '../../../test/support/history.ts';
import { cut, fail, merchantWithDebit } from '../../../test/support/payouts.ts';
import { type CompanyValues, companyOf } from '../../platform/config/company.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import { type Currency, timeZoneOf } from '../../platform/values/money.ts';
import { settlementProblems } from '../ledger/check-settlements.ts';
import { readBalanceDays } from '../ledger/daily-balances.ts';
import { hourProblems, recountHours } from '../ledger/payable-hours.ts';
import { topUpPosting } from '../ledger/postings.ts';
import { balanceOf } from './balance.ts';
import { itemRangeOf, itemView, listItems } from './items/list.ts';
import { creationJson, type Settlement, settlementView } from './settlement.ts';
import { feeStatementOf } from './statement/fee-statement.ts';
import { type Movement, withMovements } from './statement/read.ts';
import { oldestUnsettled } from './unsettled-store.ts';

const fromMs = Date.parse('2026-11-10T12:00:00Z');

/** A live merchant who disburses in a currency, at a clock of ours. */
async function begin(context: Parameters<typeof freshDatabase>[0], currency: Currency) {
  const { database } = await freshDatabase(context);
  const owner = await merchantWithDebit(database);
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  await database.query({
    text: 'DELETE FROM postings; DELETE FROM payable_hours; DELETE FROM balances; DELETE FROM unsettled',
  });
  let nowMs = fromMs;
  const clock = { nowMs: () => nowMs };
  const pass = (days: number) => {
    nowMs += days * 86_400_000;
    return nowMs;
  };
  const world = { database, ...owner, clock, folder: '', wait: () => {}, currency, pass };
  await book(world, 'debit', randomUUID(), 100_000n, nowMs, currency);
  return world;
}

type World = Awaited<ReturnType<typeof begin>>;

const disburse = (
  { database, tenantId, currency, clock }: World,
  change: Parameters<typeof bookDisbursement>[1] = {},
) => bookDisbursement(database, { tenantId, currency, updatedAtMs: clock.nowMs(), ...change });

const sumsOf = ({ grossMinor, feeMinor, refundMinor, disbursementMinor, netMinor }: Settlement) =>
  [grossMinor, feeMinor, refundMinor, disbursementMinor, netMinor].map(Number);

async function itemsOf({ database }: World, settlement: Settlement) {
  const rows = await listItems(database, settlement, itemRangeOf({ limit: 50 }), 50);
  return rows.map(itemView);
}

const balance = async ({ database, tenantId, currency }: World) =>
  (await balanceOf(database, tenantId)).find((each) => each.currency === currency)!;

const finish = ({ database }: World, { id }: Settlement) =>
  database.query({ text: `UPDATE settlements SET status = 'COMPLETED' WHERE id = $1` }, [id]);

for (const currency of ['CVE', 'AOA'] as const) {
  test(`settles debits, refunds and disbursements in ${currency}, and later what came back`, async (context) => {
    const world = await begin(context, currency);
    const { database } = world;
    await book(world, 'refund_out', randomUUID(), 10_000n, world.pass(1), currency);
    const kept = await disburse(world, { amountMinor: 20_000n, feeMinor: 300n });
    const failing = await disburse(world, { amountMinor: 5_000n, feeMinor: 70n });
    await bookStep(database, kept, 'SUCCEEDED');
    assert.equal((await balance(world)).disbursementsInTransit, 5_000n);

    const first = await cut(world, currency);
    assert.deepEqual(sumsOf(first), [100_000, 2_370, 10_000, 25_000, 62_630]);
    assert.equal(settlementView(first).disbursementTotal, '25000');
    const items = await itemsOf(world, first);
    assert.equal(items.length, Number(first.itemCount));
    const sum = items.reduce((minor, { netAmount }) => minor + BigInt(netAmount), 0n);
    assert.equal(sum, first.netMinor);
    const item = items.find(({ id }) => id === formatId('di', failing.id))!;
    const { createdAt: _, ...shown } = item;
    assert.deepEqual(shown, {
      id: formatId('di', failing.id),
      type: 'DISBURSEMENT',
      paymentIntentId: null,
      refundId: null,
      disbursementId: formatId('di', failing.id),
      amount: '5000',
      feeAmount: '70',
      netAmount: '-5070',
      currency,
    });
    await finish(world, first);

    await bookStep(database, failing, 'GIVEN_BACK', world.pass(1));
    assert.equal(await oldestUnsettled(database, world.tenantId), currency);
    const second = await cut(world, currency);
    assert.deepEqual(sumsOf(second), [0, -70, 0, -5_000, 5_070]);
    const [back, ...others] = await itemsOf(world, second);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [back!.id, back!.type, back!.amount, back!.feeAmount, back!.netAmount],
      [formatId('db', failing.id), 'DISBURSEMENT_RETURNED', '5000', '70', '5070'],
    );
    assert.deepEqual(await settlementProblems(database), []);
    assert.deepEqual(await hourProblems(database), []);
    assert.equal((await balance(world)).available, 0n);
  });
}

test('settles what was paid in for the balance', async (context) => {
  const world = await begin(context, 'CVE');
  const { database, tenantId } = world;
  const id = randomUUID();
  const given = { tenantId, id, currency: 'CVE', createdAtMs: world.pass(1) };
  await append(database, [topUpPosting({ ...given, amountMinor: 7_000n })]);
  const settlement = await cut(world);
  assert.deepEqual(sumsOf(settlement), [100_000, 2_000, 0, -7_000, 105_000]);
  const item = (await itemsOf(world, settlement)).find(({ type }) => type === 'TOP_UP')!;
  assert.deepEqual([item.id, item.netAmount], [formatId('tu', id), '7000']);
  assert.deepEqual([item.paymentIntentId, item.disbursementId], [null, null]);
  assert.deepEqual(await settlementProblems(database), []);
  assert.deepEqual(await hourProblems(database), []);
});

test('shows all items of a disbursement, wherever a page ends', async (context) => {
  const world = await begin(context, 'CVE');
  const late = await disburse(world, { status: 'FAILED', operatorTxId: 'OP-1' });
  await bookStep(world.database, late, 'CHARGED', world.pass(1));
  const settlement = await cut(world);
  const all = await itemsOf(world, settlement);
  assert.deepEqual(all.map(({ type }) => type).toSorted(), [
    'DISBURSEMENT',
    'DISBURSEMENT_CHARGED',
    'DISBURSEMENT_RETURNED',
    'PAYMENT',
  ]);
  for (const [index, { id }] of all.entries()) {
    const range = itemRangeOf({ limit: 50, startingAfter: id });
    const rest = await listItems(world.database, settlement, range, 50);
    assert.deepEqual(rest.map(itemView), all.slice(index + 1), id);
  }
});

test('gives the disbursements of a failed settlement to the next one', async (context) => {
  const world = await begin(context, 'CVE');
  await disburse(world);
  const first = await cut(world);
  await fail(world, first);
  const second = await cut(world);
  assert.deepEqual(sumsOf(second), sumsOf(first));
  assert.equal(second.disbursementMinor, 3_000n);
  assert.deepEqual(await settlementProblems(world.database), []);
});

test('does not settle what was disbursed', async (context) => {
  const world = await begin(context, 'CVE');
  await disburse(world, { amountMinor: 98_000n, feeMinor: 0n });
  assert.equal(await oldestUnsettled(world.database, world.tenantId), undefined);
});

test('repeats the answer to a creation from before without the total, and shows it in new ones', async (context) => {
  const world = await begin(context, 'CVE');
  const settlement = await cut(world);
  assert.equal(JSON.parse(creationJson(settlement)).disbursementTotal, '0');
  const before = JSON.parse(creationJson({ ...settlement, rendering: 1 }));
  assert.equal('disbursementTotal' in before, false);
  assert.deepEqual({ ...before, disbursementTotal: '0' }, JSON.parse(creationJson(settlement)));
});

test('states each disbursement with its fee and the balance after it', async (context) => {
  const world = await begin(context, 'CVE');
  const made = await disburse(world, { updatedAtMs: world.pass(1) });
  await disburse(world, { feeMinor: 0n, updatedAtMs: world.pass(1) });
  await bookStep(world.database, made, 'GIVEN_BACK', world.pass(1));
  const question = { ...world, currency: 'CVE' as const, from: '2026-11-01', until: '2026-12-01' };
  const found = await withMovements(world.database, question, async (statement, pages) => {
    const movements: Movement[] = [];
    for await (const page of pages) movements.push(...page);
    return { ...statement, movements };
  });
  assert.deepEqual(
    found.movements.map(({ type, id, amountMinor, balanceMinor }) => [
      type,
      id.slice(0, 3),
      Number(amountMinor),
      Number(balanceMinor),
    ]),
    [
      ['PAYMENT', 'pi_', 100_000, 100_000],
      ['FEE', 'pi_', -2_000, 98_000],
      ['DISBURSEMENT', 'di_', -3_000, 95_000],
      ['FEE', 'di_', -50, 94_950],
      ['DISBURSEMENT', 'di_', -3_000, 91_950],
      ['DISBURSEMENT_RETURNED', 'di_', 3_000, 94_950],
      ['FEE_RETURNED', 'di_', 50, 95_000],
    ],
  );
  assert.deepEqual(
    found.days.map(({ day, feeMinor, disbursementMinor, closingMinor }) => [
      day.slice(-2),
      feeMinor,
      disbursementMinor,
      closingMinor,
    ]),
    [
      ['10', 2_000n, 0n, 98_000n],
      ['11', 50n, 3_000n, 94_950n],
      ['12', 0n, 3_000n, 91_950n],
      ['13', -50n, -3_000n, 95_000n],
    ],
  );
  assert.equal(found.closingMinor, (await balance(world)).available);
});

test('finds and corrects hours that lack a disbursement', async (context) => {
  const world = await begin(context, 'AOA');
  const { database, tenantId } = world;
  await disburse(world);
  const timeZone = timeZoneOf.AOA;
  const days = { tenantId, currency: 'AOA', from: '2026-11-01', until: '2026-12-01', timeZone };
  const before = await readBalanceDays(database, days);
  await database.query({
    text: 'UPDATE payable_hours SET disbursement_minor = 0, fee_minor = fee_minor - 50',
  });
  const [problem] = await hourProblems(database);
  assert.match(problem!.message, /by 0 of payments, -50 of fees, 0 of refunds, -3000 of disb/);
  assert.deepEqual([await recountHours(database), await recountHours(database)], [1, 0]);
  assert.deepEqual(await readBalanceDays(database, days), before);
});

test('states the fees of disbursements apart from those of payments, less what came back', async (context) => {
  const world = await begin(context, 'CVE');
  const { database, tenantId, merchantId, clock } = world;
  const failing = await disburse(world, { feeMinor: 70n });
  await disburse(world, { status: 'SUCCEEDED', operator: 'CVMOVEL', operatorTxId: 'OP-9' });
  const company = companyOf({} as CompanyValues, []);
  const payer = { tenantId, merchantId, mode: 'live', name: 'Loja', taxNumber: null } as const;
  const given = { database, clock, ids: randomIds(), company, actor: 'gateway' as const };
  const ask = (month: string) => feeStatementOf(given, payer, { month, currency: 'CVE' });
  const linesOf = (lines: { operator: string; count: bigint; feeMinor: bigint }[]) =>
    lines.map(({ operator, count, feeMinor }) => `${operator} ${count} ${feeMinor}`);

  world.pass(25);
  const november = await ask('2026-11');
  assert.deepEqual(linesOf(november.lines), ['MOCK 1 2000']);
  assert.deepEqual(linesOf(november.disbursements), ['CVMOVEL 1 50', 'MOCK 1 70']);
  assert.deepEqual(
    [november.count, november.grossMinor, november.feeMinor],
    [1n, 100_000n, 2_120n],
  );
  assert.notEqual(november.issuedAtMs, null);
  assert.deepEqual(await ask('2026-11'), november, 'as it is stored');

  // A fee that comes back in a later month lowers that month.
  await bookStep(database, failing, 'GIVEN_BACK', clock.nowMs());
  const december = await ask('2026-12');
  assert.deepEqual([december.lines, linesOf(december.disbursements)], [[], ['MOCK -1 -70']]);
  assert.equal(december.feeMinor, -70n);

  // A statement that was stored before there were disbursements.
  await database.query({
    text: `UPDATE fee_statements SET content = (content::jsonb - 'disbursements')::text`,
  });
  assert.deepEqual((await ask('2026-11')).disbursements, []);
});
