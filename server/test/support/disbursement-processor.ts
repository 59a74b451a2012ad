import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import type { Operator } from '../../src/integrations/operators/operator.ts';
import type { Disbursement } from '../../src/money/disbursements/disbursement.ts';
import { claimDueDisbursements } from '../../src/money/disbursements/lease-store.ts';
import { createDisbursementProcessor } from '../../src/money/disbursements/process.ts';
import { findDisbursement } from '../../src/money/disbursements/store.ts';
import { makeApplyDisbursementTransition } from '../../src/money/disbursements/transition.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { makeRequestReview } from '../../src/money/review/request-review.ts';
import { openReviewItems } from '../../src/money/review/store.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { ScriptedOperator } from '../operators/scripted.ts';
import { silentLog, testDatabase } from './database.ts';
import { exampleDisbursement, insertDisbursements } from './disbursement.ts';
import { addTenants } from './tenants.ts';

export const hourMs = 3_600_000;
export const watchMs = 72 * hourMs;
export const timing = {
  operatorTimeoutMs: 1_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: hourMs,
  watchMs,
};

export type Disbursing = Awaited<ReturnType<typeof composeDisbursing>>;

/** A live merchant that may disburse, and a processor of disbursements with an operator that the test scripts. */
export async function composeDisbursing(context: TestContext) {
  const opened = await testDatabase(context);
  const primary = { ageMs: Number.POSITIVE_INFINITY };
  const database = { ...opened.database, primaryAgeMs: () => primary.ageMs };
  const tenantId = randomUUID();
  await addTenants(database, tenantId);
  await database.query({ text: `UPDATE tenants SET mode = 'live'` });
  await database.query({ text: 'UPDATE merchants SET disbursements_allowed = true' });
  let nowMs = Date.now();
  const clock = { nowMs: () => nowMs };
  const base = { database, home: database, clock, ids: randomIds(), log: silentLog, timing };
  const operator = new ScriptedOperator(clock.nowMs);
  const [late, notReceived]: Disbursement[][] = [[], []];
  const applyTransition = makeApplyDisbursementTransition({
    ...base,
    dispatcher: noDispatcher,
    onDisbursement: () => {},
  });
  const processorWith = (each: Operator) =>
    createDisbursementProcessor({
      ...base,
      applyTransition,
      operatorFor: () => each,
      wake: () => {},
      requestReview: makeRequestReview({ ...base, onReview: () => {} }),
      onLateSuccess: (disbursement) => late!.push(disbursement),
      onNotReceived: (disbursement) => notReceived!.push(disbursement),
    });
  const add = async (change: Partial<Disbursement> = {}): Promise<Disbursement> => {
    const id = base.ids.next(nowMs);
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs, dueAtMs: nowMs };
    const expiresAtMs = nowMs + 24 * hourMs;
    const own = { tenantId, id, reference: randomUUID(), ...times, expiresAtMs };
    const disbursement = exampleDisbursement({ ...own, ...change });
    await insertDisbursements(database, disbursement);
    return disbursement;
  };
  /** Claims what is due, like a worker. */
  const claim = async () =>
    (await claimDueDisbursements(database, nowMs, nowMs + 10_000, 10)) as Disbursement[];
  const processor = processorWith(operator);
  return {
    ...base,
    tenantId,
    primary,
    operator,
    processor,
    processorWith,
    applyTransition,
    late: late!,
    notReceived: notReceived!,
    add,
    claim,
    wait: (ms: number) => {
      nowMs += ms;
    },
    /** Processes what is due, as it is in the database. */
    work: async (origin: 'MEMORY' | 'DATABASE' = 'DATABASE') => {
      for (const each of await claim()) await processor.process(each, origin);
    },
    now: async ({ id }: Pick<Disbursement, 'id'>) =>
      (await findDisbursement(database, tenantId, id))!,
  };
}

/** The balances of the merchant, without those of 0. */
export async function balancesOf({ database }: Disbursing): Promise<Record<string, number>> {
  const text = 'SELECT account, balance_minor AS minor FROM balances WHERE balance_minor <> 0';
  const rows = await database.query<{ account: string; minor: bigint }>({ text });
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}

export const eventsOf = async ({ database }: Disbursing): Promise<string[]> =>
  (await database.query<{ type: string }>({ text: 'SELECT type FROM events ORDER BY id' })).map(
    ({ type }) => type,
  );

/** It was paid once, and the ledger agrees. */
export async function checkPaidOnce(
  disbursing: Disbursing,
  disbursement: Disbursement,
  mostRequests = 1,
): Promise<void> {
  const { operator } = disbursing;
  const now = await disbursing.now(disbursement);
  assert.deepEqual([now.status, now.dueAtMs], ['SUCCEEDED', null]);
  assert.ok(operator.count('disburse', disbursement.reference) <= mostRequests);
  assert.deepEqual(await balancesOf(disbursing), {
    payable: -4_100,
    fees: 100,
    'operator:CVMOVEL': 4_000,
  });
  assert.deepEqual(await eventsOf(disbursing), ['disbursement.succeeded']);
  assert.deepEqual(await checkLedger(disbursing.database), []);
}

/** It failed, and amount and fee are back. */
export async function checkGivenBack(
  disbursing: Disbursing,
  disbursement: Disbursement,
  failureCode: string,
): Promise<void> {
  const now = await disbursing.now(disbursement);
  assert.deepEqual([now.status, now.failureCode, now.dueAtMs], ['FAILED', failureCode, null]);
  assert.deepEqual(await balancesOf(disbursing), {});
  assert.deepEqual(await eventsOf(disbursing), ['disbursement.failed']);
  assert.deepEqual(await checkLedger(disbursing.database), []);
}

/** The open cases for a person, as kind and subject. */
export const casesOf = async ({ database }: Disbursing) =>
  (await openReviewItems(database)).map(({ kind, subjectKind, subjectId }) => [
    kind,
    subjectKind,
    subjectId,
  ]);
