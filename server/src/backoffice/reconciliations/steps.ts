import {
  type Administration,
  type AuditRecord,
  writeAuditRecord,
} from '../../platform/audit/record.ts';
import { invalidState, limitReached, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { countDifferences } from './difference-store.ts';
import { reconciliationLimits, type StoredReconciliation } from './reconciliation.ts';
import { countWaiting, lockReconciliation, noteProgress } from './store.ts';

/** The context of each step of a reconciliation; `actor` and `origin` say who took it. */
export interface StepDependencies extends Administration {
  database: Database;
}

type Step = Extract<AuditRecord['action'], `reconciliation.${string}`>;

/** Audits a step, in the transaction of the step. */
export const recordStep = (
  transaction: Queryable,
  administration: Administration,
  action: Step,
  id: string,
  detail: Record<string, unknown> = {},
): Promise<void> =>
  writeAuditRecord(transaction, administration, {
    tenantId: null,
    action,
    subject: formatId('rc', id),
    detail,
  });

/**
 * Locks the reconciliation until the transaction ends.
 * @throws NOT_FOUND
 * @throws INVALID_STATE it is being compared, so that its differences are about to change
 */
export async function lockForStep(
  transaction: Queryable,
  id: string,
): Promise<StoredReconciliation> {
  const reconciliation = await lockReconciliation(transaction, id);
  if (!reconciliation) throw notFound('reconciliation');
  if (reconciliation.status === 'COMPARING') {
    throw invalidState('The statement is being compared. Try again when that is done.');
  }
  return reconciliation;
}

/** Counts open differences after a step. When none is left, the reconciliation is MATCHED, which is a step too. */
export async function countOpen(
  transaction: Queryable,
  dependencies: StepDependencies,
  { id, status: before }: StoredReconciliation,
): Promise<void> {
  const { clock, actor = 'gateway' } = dependencies;
  const open = openOf(await countDifferences(transaction, id));
  const status = await noteProgress(transaction, id, open, { actor, nowMs: clock.nowMs() });
  if (status === 'MATCHED' && before !== 'MATCHED') {
    await recordStep(transaction, dependencies, 'reconciliation.matched', id);
  }
}

export const openOf = (counts: Awaited<ReturnType<typeof countDifferences>>) =>
  counts.filter(({ status }) => status === 'OPEN').reduce((sum, { count }) => sum + count, 0);

/** @throws LIMIT_REACHED too many wait to be compared */
export async function requireRoom(database: Queryable): Promise<void> {
  const { waiting } = reconciliationLimits;
  if ((await countWaiting(database)) < waiting) return;
  throw limitReached(`${waiting} statements wait to be compared. Try again when some are done.`);
}
