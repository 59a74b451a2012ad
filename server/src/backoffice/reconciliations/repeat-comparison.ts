import { invalidState } from '../../platform/errors/errors.ts';
import { lockForStep, recordStep, requireRoom, type StepDependencies } from './steps.ts';
import { askComparison } from './store.ts';

/**
 * Requests another comparison of a statement, with the ledger as it is then. A MATCHED reconciliation is open again
 * until that is done.
 * @throws NOT_FOUND
 * @throws INVALID_STATE it is being compared, or its lines have been removed
 * @throws LIMIT_REACHED too many wait to be compared
 */
export async function compareAgain(
  dependencies: StepDependencies & { wake: (atMs: number) => void },
  id: string,
): Promise<void> {
  const { database, clock, actor = 'gateway', origin } = dependencies;
  const nowMs = clock.nowMs();
  await database.transaction(async (transaction) => {
    await requireRoom(transaction);
    const { status, hasLines } = await lockForStep(transaction, id);
    if (!hasLines) {
      throw invalidState('Its lines have been removed. Upload the file again to compare it again.');
    }
    await askComparison(transaction, id, { nowMs, actor, origin });
    const isClosed = status === 'MATCHED';
    const step = isClosed ? 'reconciliation.reopened' : 'reconciliation.compare_asked';
    await recordStep(transaction, dependencies, step, id);
  });
  dependencies.wake(nowMs);
}
