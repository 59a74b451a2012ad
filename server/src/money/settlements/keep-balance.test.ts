/** What settlements leave in the balance for disbursements. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { append, bookDisbursement } from '../../../test/support/booked-disbursement.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { book } from '../../../test/support/history.ts';
import { cut, cutIfPayable, fail, merchantWithDebit } from '../../../test/support/payouts.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';
import { changeDisbursementTerms } from '../../tenants/merchants/disbursement-terms.ts';
import { problemsIn } from '../ledger/check.ts';
import { settlementProblems } from '../ledger/check-settlements.ts';
import { hourProblems } from '../ledger/payable-hours.ts';
import { keptPostings } from '../ledger/postings.ts';
import { balanceOf } from './balance.ts';
import { itemRangeOf, itemView, listItems } from './items/list.ts';
import type { Settlement } from './settlement.ts';
import { type Movement, withMovements } from './statement/read.ts';
import { oldestUnsettled } from './unsettled-store.ts';

/** A live merchant without money, at a clock of ours. */
async function begin(context: TestContext) {
  const { database } = await freshDatabase(context);
  const owner = await merchantWithDebit(database);
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  await database.query({
    text: 'DELETE FROM postings; DELETE FROM payable_hours; DELETE FROM balances; DELETE FROM unsettled',
  });
  let nowMs = Date.parse('2026-11-10T12:00:00Z');
  const clock = { nowMs: () => nowMs };
  const pass = (days: number) => {
    nowMs += days * 86_400_000;
    return nowMs;
  };
  const world = { database, ...owner, clock, folder: '', wait: () => {}, pass };
  return {
    ...world,
    keep: (keepBalances: Partial<Record<Currency, bigint | null>>) =>
      changeDisbursementTerms({ database, clock, ids: randomIds() }, owner.merchantId, {
        keepBalances,
      }),
    /** With a fee of 2 %. */
    debit: (amountMinor: bigint, currency: Currency = 'CVE') =>
      book(world, 'debit', randomUUID(), amountMinor, pass(1), currency),
    disburse: (amountMinor: bigint) =>
      bookDisbursement(database, { ...owner, amountMinor, feeMinor: 10n, updatedAtMs: pass(1) }),
    available: async (currency = 'CVE') => {
      const balances = await balanceOf(database, owner.tenantId);
      return Number(balances.find((each) => each.currency === currency)?.available);
    },
  };
}

type World = Awaited<ReturnType<typeof begin>>;

/** Gross, fees, refunds, disbursements with what is kept, net and items. */
const figuresOf = (settlement: Settlement) => {
  const { grossMinor, feeMinor, refundMinor, disbursementMinor, netMinor, itemCount } = settlement;
  return [grossMinor, feeMinor, refundMinor, disbursementMinor, netMinor, itemCount].map(Number);
};

const finish = ({ database }: World, { id }: Settlement) =>
  database.query({ text: `UPDATE settlements SET status = 'COMPLETED' WHERE id = $1` }, [id]);

/** Settles everything that may be paid out, and lets the bank pay. */
async function settle(world: World, currency?: Currency) {
  const settlement = await cut(world, currency);
  await finish(world, settlement);
  return settlement;
}

async function itemsOf({ database }: World, settlement: Settlement) {
  const rows = await listItems(database, settlement, itemRangeOf({ limit: 50 }), 50);
  const items = rows.map(itemView);
  assert.equal(items.length, Number(settlement.itemCount));
  const sum = items.reduce((minor, { netAmount }) => minor + BigInt(netAmount), 0n);
  assert.equal(sum, settlement.netMinor);
  return items;
}

const typesOf = (items: { type: string; netAmount: string }[]) =>
  items.map(({ type, netAmount }) => `${type} ${netAmount}`).toSorted();

async function assertSound({ database }: World) {
  assert.deepEqual(await settlementProblems(database), []);
  assert.deepEqual(await hourProblems(database), []);
  const kept = await database.query<{ minor: bigint }>({
    text: `SELECT balance_minor AS minor FROM balances WHERE account = 'kept'`,
  });
  assert.ok(kept.every(({ minor }) => minor === 0n));
  const problems = await problemsIn(database);
  // Debits without payments, and settlements that were finished without their postings, are the test's own.
  assert.deepEqual(
    problems.filter(({ message }) => /kept/.test(message)),
    [],
  );
}

test('keeps the agreed amount in the balance, and counts it once as gone and once as come back', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n });
  await world.debit(5_000n);
  const first = await settle(world);
  assert.deepEqual(figuresOf(first), [5_000, 100, 0, 1_000, 3_900, 2]);
  assert.deepEqual(typesOf(await itemsOf(world, first)), ['KEPT -1000', 'PAYMENT 4900']);
  assert.equal(await world.available(), 1_000);
  await assertSound(world);

  await world.disburse(300n);
  assert.equal(await world.available(), 690);
  await world.debit(2_000n);
  const second = await settle(world);
  assert.deepEqual(figuresOf(second), [2_000, 50, 0, 300, 1_650, 4]);
  const items = await itemsOf(world, second);
  assert.deepEqual(typesOf(items), [
    'DISBURSEMENT -310',
    'KEPT -1000',
    'KEPT_RETURNED 1000',
    'PAYMENT 1960',
  ]);
  const back = items.find(({ type }) => type === 'KEPT_RETURNED')!;
  assert.deepEqual([back.id, back.paymentIntentId], [formatId('kb', first.id), null]);
  for (const [index, { id }] of items.entries()) {
    const rest = itemRangeOf({ limit: 50, startingAfter: id });
    const found = await listItems(world.database, second, rest, 50);
    assert.deepEqual(found.map(itemView), items.slice(index + 1), id);
  }
  assert.equal(await world.available(), 1_000);
  await assertSound(world);
});

test('settles nothing while the balance is no more than what is kept', async (context) => {
  const world = await begin(context);
  const { database, tenantId } = world;
  await world.keep({ CVE: 1_960n });
  await world.debit(2_000n);
  assert.equal(await cutIfPayable(world), undefined);
  await world.debit(50n, 'AOA');
  assert.equal(await oldestUnsettled(database, tenantId), 'AOA', 'it has more than it keeps');
  await world.debit(1n);
  assert.equal(await oldestUnsettled(database, tenantId), 'CVE');
  assert.deepEqual(figuresOf(await settle(world)), [2_001, 40, 0, 1_960, 1, 3]);
  assert.equal(await cutIfPayable(world), undefined, 'what is kept is not settled again');
  await book(world, 'refund_out', randomUUID(), 2_500n, world.pass(1));
  assert.equal(await cutIfPayable(world), undefined);
  assert.equal(await world.available(), -540);
  await world.debit(3_000n);
  const { keptMinor, netMinor } = await settle(world);
  assert.deepEqual([keptMinor, netMinor], [1_960n, 440n]);
  await assertSound(world);
});

test('neither doubles nor loses what a settlement kept that then fails', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n });
  await world.debit(5_000n);
  const failing = await cut(world);
  await world.disburse(400n);
  await fail(world, failing);
  assert.equal(await world.available(), 4_490);
  await assertSound(world);
  const next = await cut(world);
  assert.deepEqual(figuresOf(next), [5_000, 110, 0, 1_400, 3_490, 5]);
  assert.deepEqual(typesOf(await itemsOf(world, next)), [
    'DISBURSEMENT -410',
    'KEPT -1000',
    'KEPT -1000',
    'KEPT_RETURNED 1000',
    'PAYMENT 4900',
  ]);
  await fail(world, next);
  await world.keep({ CVE: null });
  const all = await settle(world);
  assert.deepEqual([all.netMinor, all.keptMinor], [4_490n, 0n]);
  assert.equal(await world.available(), 0);
  await assertSound(world);
});

test('keeps more or less from the next settlement on, and in each currency its own', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n, AOA: 200n });
  await world.debit(5_000n);
  await world.debit(5_000n, 'AOA');
  assert.equal((await settle(world)).netMinor, 3_900n);
  assert.equal((await settle(world, 'AOA')).netMinor, 4_700n);
  const raised = await world.keep({ CVE: 3_000n });
  assert.deepEqual(raised.keepBalances, { CVE: 3_000n, AOA: 200n });
  await world.debit(2_000n);
  assert.equal(await cutIfPayable(world), undefined);
  assert.equal(await world.available(), 2_960);
  await world.keep({ CVE: 500n, AOA: null });
  assert.deepEqual(figuresOf(await settle(world)), [2_000, 40, 0, -500, 2_460, 3]);
  assert.deepEqual(figuresOf(await settle(world, 'AOA')), [0, 0, 0, -200, 200, 1]);
  assert.deepEqual([await world.available(), await world.available('AOA')], [500, 0]);
  await assertSound(world);
});

test('states payouts without what stayed in the balance', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n });
  await world.debit(5_000n);
  world.pass(1);
  await cut(world);
  const question = { ...world, currency: 'CVE' as const, from: '2026-11-01', until: '2026-12-01' };
  const found = await withMovements(world.database, question, async (statement, pages) => {
    const movements: Movement[] = [];
    for await (const page of pages) movements.push(...page);
    return { ...statement, movements };
  });
  assert.deepEqual(
    found.movements.map(({ type, balanceMinor }) => `${type} ${balanceMinor}`),
    ['PAYMENT 5000', 'FEE 4900', 'PAYOUT 1000'],
  );
  const { total, closingMinor } = found;
  assert.deepEqual(
    [total.disbursementMinor, total.payoutMinor, closingMinor],
    [0n, 3_900n, 1_000n],
  );
});

test('finds a settlement that kept another amount than its postings say', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n });
  await world.debit(5_000n);
  const { id, tenantId } = await cut(world);
  await world.database.query({ text: 'UPDATE settlements SET kept_minor = 999' });
  const problems = (await problemsIn(world.database)).map(({ message }) => message);
  const name = `settlement ${formatId('se', id)}`;
  const out = `${name} has the posting kept_out as payable → kept 1000 CVE, and should have payable → kept 999 CVE`;
  assert.ok(problems.includes(out), problems.join('\n'));
  const none = { id: randomUUID(), tenantId, currency: 'CVE', keptMinor: 5n };
  await append(world.database, keptPostings(none, world.pass(1)));
  const [problem] = await settlementProblems(world.database);
  assert.match(problem!.message, /payable, but \d+ are counted as unsettled|its periods hold/);
});

test('makes one of four settlements at once, and keeps the amount once', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n });
  for (const expected of [3_900n, 4_900n, 4_900n]) {
    await world.debit(5_000n);
    const asked = await Promise.allSettled(Array.from({ length: 4 }, () => cutIfPayable(world)));
    const made = asked.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
    assert.deepEqual(
      made.map(({ netMinor }) => netMinor),
      [expected],
    );
    assert.equal(await world.available(), 1_000);
    await finish(world, made[0]!);
    await assertSound(world);
  }
});

test('waits for a change of what the merchant keeps', async (context) => {
  const world = await begin(context);
  const { database } = world;
  await world.keep({ CVE: 1_000n });
  await world.debit(5_000n);
  const { asked } = await database.transaction(async (transaction) => {
    await transaction.query({ text: `UPDATE merchants SET keep_balances = '{"CVE": "2000"}'` });
    let isOver = false;
    const cutting = cut(world).finally(() => {
      isOver = true;
    });
    const text = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(
      'the settlement waits',
      async () => isOver || (await database.query({ text })).length > 0,
    );
    return { asked: cutting };
  });
  assert.equal((await asked).keptMinor, 2_000n);
  assert.equal(await world.available(), 2_000);
  await assertSound(world);
});

test('lets no program of before disbursements settle what is kept', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: 1_000n });
  await world.debit(5_000n);
  await settle(world);
  const text = `UPDATE unsettled SET period = period + 1, gross_minor = 0, fee_minor = 0, refund_minor = 0, item_count = 0`;
  await assert.rejects(world.database.query({ text }), /unsettled_disbursement_minor/);
});

test('refuses to keep an amount while an older process runs, which would pay it out', async (context) => {
  const world = await begin(context);
  const text = `
INSERT INTO running_processes (id, role, host, pid, version, settings, clock_offset_ms, started_at, seen_at)
VALUES (gen_random_uuid(), 'all', 'old', 1, '0.0.9', '{}', 0, now(), now())`;
  await world.database.query({ text });
  await assert.rejects(world.keep({ CVE: 1_000n }), { code: 'UNAVAILABLE' });
  await world.keep({ CVE: null });
});
