import type { Disbursement } from '../../src/money/disbursements/disbursement.ts';
import { findDisbursement } from '../../src/money/disbursements/store.ts';
import { exampleDisbursement, insertDisbursements } from '../support/disbursement.ts';
import { type Harness, ids } from './harness.ts';
import { unreachable } from './scripted.ts';

export const daysMs = (days: number) => days * 86_400_000;

/** A disbursement of 40 CVE that is due and unprocessed. */
export async function add(harness: Harness): Promise<Disbursement> {
  const { database, tenantId, nowMs } = harness;
  const [id, reference] = [ids.next(nowMs), ids.next(nowMs)];
  const times = { dueAtMs: nowMs, createdAtMs: nowMs, updatedAtMs: nowMs };
  const own = { tenantId, id, reference, expiresAtMs: nowMs + daysMs(1), ...times };
  const disbursement = exampleDisbursement(own);
  await insertDisbursements(database, disbursement);
  return disbursement;
}

export const nowOf = async ({ database }: Harness, { tenantId, id }: Disbursement) =>
  (await findDisbursement(database, tenantId, id))!;

/** A disbursement whose outcome the operator never reported. */
export async function unclear(harness: Harness): Promise<Disbursement> {
  harness.nowMs -= daysMs(4);
  const disbursement = await add(harness);
  await harness.work();
  harness.operator.onQueryDisbursement = () => unreachable;
  await harness.workFor(daysMs(4));
  return disbursement;
}
