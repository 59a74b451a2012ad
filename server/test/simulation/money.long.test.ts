import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { foldTotals } from '../../src/money/totals/fold.ts';
import { DomainError } from '../../src/platform/errors/errors.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { testDatabase } from '../support/database.ts';
import { openAtTheEnd, wrongSessions } from './session-rules.ts';
import { World } from './world.ts';

/** `MONEY_RUNS=3000 node server/test/run.ts server/test/simulation/money.long.test.ts` for a long run. */
const runs = Number(process.env.MONEY_RUNS ?? 60);

/** Debited, failing, waiting for a confirmation, debited late, refunds fail. */
const suffixes = ['345', '346', '049', '159', '139', '119'];

const pick = fc.nat(9);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      amount: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 100_000 })),
      suffix: fc.constantFrom(...suffixes),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('openSession' as const),
      amount: fc.integer({ min: 1, max: 100_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('attempt' as const),
      pick,
      suffix: fc.constantFrom(...suffixes),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('changeNumber' as const),
      pick,
      suffix: fc.constantFrom(...suffixes),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expireSession' as const), pick }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('work' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('confirm' as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      pick,
      amount: fc.option(fc.integer({ min: 1, max: 60_000 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(70_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      how: fc.constantFrom('complete' as const, 'complete' as const, 'fail' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function play(world: World, step: Step): Promise<void> {
  const chosen = 'pick' in step ? world.payments[step.pick % world.payments.length] : undefined;
  const session = 'pick' in step ? world.sessions[step.pick % world.sessions.length] : undefined;
  switch (step.kind) {
    case 'create':
      return world.create(BigInt(step.amount), step.suffix);
    case 'openSession':
      return world.openSession(step.amount);
    case 'attempt':
      return session === undefined ? undefined : world.attempt(session, step.suffix);
    case 'changeNumber':
      return session === undefined ? undefined : world.changeNumber(session, step.suffix);
    case 'expireSession':
      return session === undefined ? undefined : world.expireSession(session);
    case 'work':
      return world.work();
    case 'cancel':
      return chosen === undefined ? undefined : world.cancel(chosen);
    case 'confirm':
      return chosen === undefined ? undefined : world.confirm(chosen);
    case 'refund': {
      const amount = step.amount === null ? null : BigInt(step.amount);
      return chosen === undefined ? undefined : world.refund(chosen, amount);
    }
    case 'wait':
      world.wait(step.ms);
      return;
    case 'settle':
      await world.settle();
      return;
    case 'finish':
      return world.finish(step.how);
  }
}

/** A refusal is an answer; any other error is a failure. */
async function playLeniently(world: World, step: Step): Promise<void> {
  try {
    await play(world, step);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

const wrongRefunds = `
  SELECT p.id FROM payments p
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(amount_minor) FILTER (WHERE status <> 'FAILED'), 0) AS reserved,
      coalesce(sum(amount_minor) FILTER (WHERE status = 'SUCCEEDED'), 0) AS refunded
    FROM refunds r WHERE r.tenant_id = p.tenant_id AND r.payment_id = p.id) AS sums ON true
  WHERE p.refund_reserved_minor <> sums.reserved OR p.refunded_minor <> sums.refunded
    OR sums.reserved > p.amount_minor
    OR (p.status = 'REFUNDED') <> (sums.refunded = p.amount_minor)`;

/**
 * Each debit belongs to one period, and each period to one settlement, so no payment is settled
 * twice.
 */
const settledTwice = `
  SELECT source_id FROM postings WHERE kind = 'debit_net'
  GROUP BY tenant_id, source_id HAVING count(*) <> 1 OR count(period) <> 1`;

const unsettledAtTheEnd = `
  SELECT o.source_id FROM postings o
  JOIN unsettled u ON u.tenant_id = o.tenant_id AND u.currency = o.currency
  LEFT JOIN settlement_periods sp ON sp.tenant_id = o.tenant_id AND sp.currency = o.currency
    AND sp.period = o.period
  LEFT JOIN settlements s ON s.tenant_id = sp.tenant_id AND s.id = sp.settlement_id
  WHERE o.kind = 'debit_net' AND coalesce(s.status, '') <> 'COMPLETED'
    AND u.gross_minor - u.fee_minor - u.refund_minor > 0`;

const unreportedSessions = `
  SELECT p.id FROM payments p
  JOIN postings o ON o.tenant_id = p.tenant_id AND o.source_id = p.id AND o.kind = 'debit_net'
  JOIN settlement_periods sp ON sp.tenant_id = o.tenant_id AND sp.currency = o.currency
    AND sp.period = o.period
  JOIN settlements s ON s.tenant_id = sp.tenant_id AND s.id = sp.settlement_id
  WHERE s.status = 'COMPLETED' AND p.status = 'DEBITED'`;

async function assertRight(database: Database): Promise<void> {
  // Fold only some, so that folded and unfolded rows are checked together.
  await foldTotals(database, 3);
  assert.deepEqual(await checkLedger(database), []);
  for (const text of [wrongRefunds, settledTwice, wrongSessions]) {
    assert.deepEqual(await database.query({ text }), []);
  }
}

/** Lets everything finish, then settles the rest. */
async function drain(world: World): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await world.work();
    world.wait(30_000);
  }
  await world.finish('complete');
  if (await world.settle()) await world.finish('complete');
  assert.equal(await world.settle(), undefined, 'a settled debit was settled again');
}

/** A busy machine needs a second for each run. */
const timeout = runs * 3_000;
/**
 * Ends before the test's timeout, so that it still reports its findings; a very busy machine plays
 * fewer plans.
 */
const interruptAfterTimeLimit = timeout / 2;

test('keeps the books right after every step, in any order of events', {
  timeout,
}, async (context) => {
  const { database } = await testDatabase(context);
  // Long plans, because short ones produce no collisions.
  const group = fc.array(step, { minLength: 1, maxLength: 3, size: 'max' });
  const groups = fc.array(group, { minLength: 8, maxLength: 16, size: 'max' });
  await fc.assert(
    fc.asyncProperty(groups, async (plan) => {
      for (const table of [
        'payments',
        'refunds',
        'reversals',
        'settlements',
        'checkout_sessions',
        'events',
        'unsettled',
        'payable_hours',
        'payment_totals',
        'payment_day_totals',
        'payment_total_deltas',
      ]) {
        await database.query({ text: `DELETE FROM ${table}` });
      }
      await database.query({ text: 'GRANT ALL ON postings TO CURRENT_USER' });
      for (const table of [
        'postings',
        'balances',
        'settlement_periods',
        'simulator_transactions',
      ]) {
        await database.query({ text: `DELETE FROM ${table}` });
      }
      await database.query({
        text: 'REVOKE UPDATE, DELETE, TRUNCATE ON postings FROM CURRENT_USER',
      });
      const world = new World(database);
      await world.begin();
      for (const group of plan) {
        await Promise.all(group.map((step) => playLeniently(world, step)));
        await assertRight(database);
      }
      await drain(world);
      await assertRight(database);
      for (const text of [unsettledAtTheEnd, unreportedSessions, openAtTheEnd]) {
        assert.deepEqual(await database.query({ text }), []);
      }
    }),
    { numRuns: runs, interruptAfterTimeLimit },
  );
});
