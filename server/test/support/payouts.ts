import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { appendPostings, postingRows } from '../../src/money/ledger/append.ts';
import { debitPostings } from '../../src/money/ledger/postings.ts';
import { makeProcessSettlement } from '../../src/money/settlements/create.ts';
import { failSettlement } from '../../src/money/settlements/finish.ts';
import type { PayDependencies } from '../../src/money/settlements/pay.ts';
import { payoutFiles } from '../../src/money/settlements/payout-file.ts';
import type { Settlement } from '../../src/money/settlements/settlement.ts';
import { claimDueSettlements, findSettlementById } from '../../src/money/settlements/store.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { noFourEyes } from '../../src/platform/values/four-eyes.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog, testDatabase } from './database.ts';
import { examplePayment } from './payment.ts';
import { testHashes } from './request-hashes.ts';

const ids = randomIds();
export const leaseMs = 30_000;

/** A folder of bank files, a clock, and a live merchant with money to settle. */
export async function begin(context: TestContext) {
  const { database } = await testDatabase(context);
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-payouts-'));
  cleanUp(context, () => rmSync(folder, { recursive: true, force: true }));
  let nowMs = Date.parse('2026-11-21T09:30:00.000Z');
  const clock = { nowMs: () => nowMs };
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { database, folder, clock, wait, ...(await merchantWithDebit(database)) };
}

export type World = Awaited<ReturnType<typeof begin>>;

/** A live merchant with a payable balance of 98.00 CVE. */
export async function merchantWithDebit(database: Database) {
  const [tenantId, merchantId] = [randomUUID(), randomUUID()];
  const merchant = `INSERT INTO merchants (id, name, created_at) VALUES ($1, 'Loja', now())`;
  await database.query({ text: merchant }, [merchantId]);
  const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, 'live', now())`;
  await database.query({ text: tenant }, [tenantId, merchantId]);
  const postings = debitPostings({ ...examplePayment({ tenantId }), id: randomUUID() }, Date.now());
  const text = `WITH new_posting AS (SELECT * FROM ${postingRows.sql(1)}), ${appendPostings} SELECT`;
  await database.query({ text }, postingRows.values(postings));
  return { tenantId, merchantId };
}

export const cut = async (
  world: Omit<World, 'folder' | 'wait'>,
  currency = 'CVE',
): Promise<Settlement> => (await cutIfPayable(world, currency))!;

/** Undefined if there is nothing to settle. */
export async function cutIfPayable(
  { database, clock, tenantId, merchantId }: Omit<World, 'folder' | 'wait'>,
  currency = 'CVE',
): Promise<Settlement | undefined> {
  const process = makeProcessSettlement({
    database,
    clock,
    ids,
    requestHashes: testHashes,
    settlementRendering: { at: () => 2 },
    wake: () => {},
  });
  const input = { tenantId, merchantId, currency, idempotencyKey: null };
  return (await process(input))?.settlement;
}

export const claim = async ({ database, clock }: World): Promise<Settlement> => {
  const nowMs = clock.nowMs();
  return (await claimDueSettlements(database, nowMs, nowMs + leaseMs, 1))[0]!;
};

export function partsOf(world: World, change: Partial<PayDependencies> = {}) {
  const { database, clock, folder } = world;
  const payout = payoutFiles(folder);
  const base = { database, clock, ids, log: silentLog, dispatcher: noDispatcher, wake: () => {} };
  return { ...base, payout, payoutLengthMs: leaseMs, fourEyes: noFourEyes, ...change };
}

export const now = async ({ database }: World, { id }: Settlement) =>
  (await findSettlementById(database, id))!;

/** A person records the outcome, like the command, on a machine without the folder. */
export async function fail(world: World, settlement: Settlement): Promise<Settlement> {
  const seen = await now(world, settlement);
  return world.database.transaction((database) =>
    failSettlement({ ...world, database, fourEyes: noFourEyes }, seen),
  );
}

export const csv = ({ id }: Settlement) => `${formatId('se', id)}.csv`;
/** The files that a bank would pay, and the withdrawn or unfinished ones. */
export const filesOf = ({ folder }: World) => readdirSync(folder).sort();
