/** Statements equal the ledger: for any movements at any time, to the cent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { freshDatabase } from '../../../../test/support/database.ts';
import { book } from '../../../../test/support/history.ts';
import { bookMany } from '../../../../test/support/many-payments.ts';
import { cut, fail, merchantWithDebit } from '../../../../test/support/payouts.ts';
import { rowsRead } from '../../../../test/support/rows-read.ts';
import { payablePostings } from '../../ledger/payable-postings.ts';
import { type Movement, StatementMismatch, type StatementQuestion, withMovements } from './read.ts';

type Context = Parameters<typeof freshDatabase>[0];

/** A merchant without a past, and a clock. */
async function begin(context: Context) {
  const { database } = await freshDatabase(context);
  const owner = await merchantWithDebit(database);
  await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
  await database.query({
    text: 'DELETE FROM postings; DELETE FROM payable_hours; DELETE FROM balances; DELETE FROM unsettled',
  });
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  const setTo = (atMs: number) => {
    nowMs = atMs;
  };
  return { database, ...owner, clock, setTo, folder: '', wait: () => {} };
}
type World = Awaited<ReturnType<typeof begin>>;

async function statementOf({ database, tenantId }: World, change: Partial<StatementQuestion> = {}) {
  const month = { from: '2026-11-01', until: '2026-12-01' };
  const question = { tenantId, currency: 'CVE' as const, ...month, ...change };
  return withMovements(database, question, async (statement, pages) => {
    const movements: Movement[] = [];
    for await (const page of pages) movements.push(...page);
    return { ...statement, movements };
  });
}

/** From the postings alone. */
async function balanceAt({ database, tenantId }: World, atMs: number): Promise<bigint> {
  const text = `SELECT coalesce(sum(CASE WHEN to_account = 'payable' THEN amount_minor ELSE -amount_minor END), 0) AS minor
    FROM postings WHERE tenant_id = $1 AND currency = 'CVE' AND 'payable' IN (from_account, to_account)
      AND created_at < to_timestamp($2::bigint / 1000.0)`;
  const [row] = await database.query<{ minor: bigint }>({ text }, [tenantId, String(atMs)]);
  return row!.minor;
}

// November in Cape Verde, which is an hour behind UTC.
const firstMs = Date.parse('2026-11-01T01:00:00Z');
const endMs = Date.parse('2026-12-01T01:00:00Z');

test('includes the first and the last millisecond of the month in Praia, and none beside them', async (context) => {
  const world = await begin(context);
  const edges = [firstMs - 1, firstMs, endMs - 1, endMs];
  for (const [index, atMs] of edges.entries()) {
    await book(world, 'debit', randomUUID(), BigInt(index + 1) * 1_000n, atMs);
  }
  const { movements, openingMinor, closingMinor } = await statementOf(world);
  assert.deepEqual(
    movements.map(({ type, atMs, amountMinor }) => [type, atMs, amountMinor]),
    [
      ['PAYMENT', firstMs, 2_000n],
      ['FEE', firstMs, -40n],
      ['PAYMENT', endMs - 1, 3_000n],
      ['FEE', endMs - 1, -60n],
    ],
  );
  assert.deepEqual([openingMinor, closingMinor], [980n, 980n + 1_960n + 2_940n]);
});

test('lists every kind of movement with its object and the balance after it', async (context) => {
  const world = await begin(context);
  const [payment, refund] = [randomUUID(), randomUUID()];
  const at = (day: number) => firstMs + (day - 1) * 86_400_000;
  await book(world, 'debit', payment, 10_000n, at(1));
  await book(world, 'refund_out', refund, 3_000n, at(2));
  world.setTo(at(3));
  const settlement = await cut(world);
  await book(world, 'refund_back', refund, 3_000n, at(4));
  world.setTo(at(20));
  await fail(world, settlement);
  world.setTo(at(21));
  await cut(world);
  const { movements } = await statementOf(world);
  assert.deepEqual(
    movements.map(({ type, amountMinor, balanceMinor }) => [type, amountMinor, balanceMinor]),
    [
      ['PAYMENT', 10_000n, 10_000n],
      ['FEE', -200n, 9_800n],
      ['REFUND', -3_000n, 6_800n],
      ['PAYOUT', -6_800n, 0n],
      ['REFUND_RETURNED', 3_000n, 3_000n],
      ['PAYOUT_RETURNED', 6_800n, 9_800n],
      ['PAYOUT', -9_800n, 0n],
    ],
  );
  assert.deepEqual(
    movements.map(({ id }) => id.slice(0, 3)),
    ['pi_', 'pi_', 're_', 'se_', 're_', 'se_', 'se_'],
  );
});

test('equals the postings to the cent for any bookings around the months', async (context) => {
  const hour = 3_600_000;
  const step = fc.record({
    // Many steps lie close together, some at the edges of a month or far apart.
    waitMs: fc.oneof(
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 0, max: 200 * hour }),
      fc.constantFrom(0, 1, hour),
    ),
    // The clock that stamps a posting may be behind.
    lateMs: fc.integer({ min: 0, max: 5_000 }),
    kind: fc.constantFrom(
      ...(['debit', 'debit', 'debit', 'refund_out', 'refund_back'] as const),
      ...(['disbursement_out', 'disbursement_back', 'cut', 'fail'] as const),
    ),
    minor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  });
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 30, maxLength: 60 }),
    fc.integer({ min: 0, max: 40 * 24 * hour }),
    async (steps, beforeMs) => {
      const world = await begin(context);
      let nowMs = firstMs - beforeMs;
      let open: Awaited<ReturnType<typeof cut>> | undefined;
      for (const { waitMs, lateMs, kind, minor } of steps) {
        nowMs += waitMs;
        world.setTo(nowMs);
        if (kind === 'fail') {
          if (open) await fail(world, open);
          open = undefined;
        } else if (kind === 'cut') {
          open ??= (await cut(world).catch(() => undefined)) ?? undefined;
        } else {
          await book(world, kind as 'debit', randomUUID(), minor, nowMs - lateMs);
        }
      }
      for (const [from, until] of [
        ['2026-10-01', '2026-11-01'],
        ['2026-11-01', '2026-12-01'],
        ['2026-12-01', '2027-01-01'],
      ] as const) {
        const found = await statementOf(world, { from, until });
        assert.equal(found.openingMinor, await balanceAt(world, found.fromMs));
        assert.equal(found.closingMinor, await balanceAt(world, found.untilMs));
        const moved = found.movements.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
        assert.equal(found.openingMinor + moved, found.closingMinor);
        assert.equal(
          found.movements.at(-1)?.balanceMinor ?? found.openingMinor,
          found.closingMinor,
        );
      }
    },
  );
  await fc.assert(property, { numRuns: 5 });
});

test('fails instead of returning a statement with a missing line', async (context) => {
  const world = await begin(context);
  await book(world, 'debit', randomUUID(), 10_000n, firstMs);
  await world.database.query({ text: 'UPDATE payable_hours SET gross_minor = gross_minor + 1' });
  await assert.rejects(statementOf(world), StatementMismatch);
});

test('uses other days for Luanda than for Praia', async (context) => {
  const world = await begin(context);
  const question = { ...world, currency: 'AOA' as const };
  const { fromMs, untilMs, timeZone } = await statementOf(question, { currency: 'AOA' });
  assert.deepEqual(
    [new Date(fromMs).toISOString(), new Date(untilMs).toISOString(), timeZone],
    ['2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z', 'Africa/Luanda'],
  );
});

test('reads the postings of the periods that touch a day, and not those of other days', async (context) => {
  const world = await begin(context);
  const { database, tenantId } = world;
  const perDay = 400;
  const days = 20;
  for (let day = 0; day < days; day++) {
    const fromMs = firstMs + day * 86_400_000 + 3_600_000 * 2;
    await bookMany(database, { tenantId, count: perDay, fromMs });
    world.setTo(fromMs + 3_600_000 * 18);
    const settlement = await cut(world);
    await database.query({ text: `UPDATE settlements SET status = 'COMPLETED', due_at = NULL` });
    assert.equal(settlement.itemCount, BigInt(perDay));
  }
  await database.query({ text: 'ANALYZE' });
  const dayMs = firstMs + 10 * 86_400_000;
  const read = await rowsRead(database, async (watched) => {
    const edges = { fromMs: dayMs, untilMs: dayMs + 86_400_000 };
    let count = 0;
    for await (const page of payablePostings(watched, { tenantId, currency: 'CVE' }, edges)) {
      count += page.length;
    }
    assert.equal(count, perDay + 1, 'each payment, and the payout');
  });
  // Each with its fee, beside the settlements and periods: 16,000 postings on 20 days.
  assert.ok(read < 6 * perDay, `${read} rows`);
});
