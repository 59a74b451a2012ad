import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import { readableName } from '../../integrations/operators/transaction-ids.ts';
import { closeReviewItem, findOpenPending } from '../../money/review/store.ts';
import type { RecoverDependencies } from './dependencies.ts';

/**
 * A return listed as pending has ended: the item of its end reserves the amount now, or, if it failed, the amount is
 * free again.
 */
export async function closeFinished(
  { database, operator, clock, isDryRun }: RecoverDependencies,
  { kind, status, operatorTxId, amountMinor }: AccountTransaction,
): Promise<void> {
  if (isDryRun || kind !== 'GIVEN_BACK' || (status !== 'SUCCEEDED' && status !== 'FAILED')) return;
  const said = status === 'FAILED' ? 'it failed' : 'it has finished';
  const reason = `the operator's list says that ${said}`;
  for (const { id, amountMinor: pending } of await findOpenPending(
    database,
    operator,
    readableName(operatorTxId),
  )) {
    if (pending !== (amountMinor?.toString() ?? null)) continue;
    await closeReviewItem(database, id, { nowMs: clock.nowMs(), by: 'gateway', reason });
  }
}
