import { type Administration, writeAuditRecord } from '../audit/record.ts';
import { invalidState } from '../errors.ts';
import { noDispatcher } from '../events/dispatch.ts';
import type { FourEyes } from '../four-eyes.ts';
import { formatId } from '../ids.ts';
import type { Database } from '../postgres/database.ts';
import { completeSettlement, type FinishDependencies, failSettlement } from './finish.ts';
import { csvPayout } from './payout-file.ts';
import type { Settlement } from './settlement.ts';

type Dependencies = Administration & {
  database: Database;
  fourEyes: FourEyes;
  /** Where payout files lie. */
  payoutFolder: string;
};

/** What was recorded, and what a person must see to. */
export interface Finished {
  settlement: Settlement;
  warning: string | null;
}

/**
 * A person says that the bank has paid it; there is a record of who said so.
 * @throws INVALID_STATE as of {@link completeSettlement}
 */
export async function completeByHand(
  dependencies: Dependencies,
  seen: Settlement,
): Promise<Finished> {
  const settlement = await inRecord(dependencies, seen, 'settlement.completed', (transaction) =>
    completeSettlement(transaction, seen),
  );
  const warning =
    seen.payoutError === null
      ? null
      : `Its payout was not handed over (${seen.payoutError}): see that the bank has paid it once.`;
  return { settlement, warning };
}

/** The new name of a file that was taken back; undefined if there was none. */
type Withdrawal = string | undefined | Error;

/**
 * A person says that the bank has not paid it. The file is taken back before it is certain that the settlement is
 * FAILED: never the other way round.
 * @throws INVALID_STATE as of {@link failSettlement}
 */
export async function failByHand(dependencies: Dependencies, seen: Settlement): Promise<Finished> {
  const { payoutFolder: folder } = dependencies;
  const { payoutRef } = seen;
  let file: Withdrawal;
  try {
    const settlement = await inRecord(
      dependencies,
      seen,
      'settlement.failed',
      async (transaction) => {
        const failed = await failSettlement(transaction, seen);
        if (payoutRef !== null) {
          file = await csvPayout(folder)
            .withdraw(payoutRef)
            .catch((error: Error) => error);
        }
        return failed;
      },
    );
    const warning = payoutRef === null ? null : warningOf(payoutRef, folder, file);
    return { settlement, warning };
  } catch (error) {
    if (typeof file !== 'string') throw error;
    throw invalidState(
      `Whether it is FAILED is not known: ${(error as Error).message}. Its file was taken back already, and is ${file} now. Say it again, or give the file its name back.`,
    );
  }
}

function warningOf(payoutRef: string, folder: string, file: Withdrawal): string {
  if (typeof file === 'string') {
    return `Its file is ${file} now; make sure that the bank had not taken it before.`;
  }
  const reason = file
    ? `it cannot be taken back (${file.message})`
    : `it does not lie in ${folder}`;
  return `Make sure that the bank does not pay ${payoutRef} after all: ${reason}.`;
}

function inRecord(
  dependencies: Dependencies,
  seen: Settlement,
  action: 'settlement.completed' | 'settlement.failed',
  change: (dependencies: FinishDependencies) => Promise<Settlement>,
): Promise<Settlement> {
  return dependencies.database.transaction(async (transaction) => {
    const within = { ...dependencies, database: transaction, dispatcher: noDispatcher };
    const settlement = await change(within);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: seen.tenantId,
      action,
      subject: formatId('se', seen.id),
      before: { status: seen.status },
      after: { status: settlement.status },
      detail: { payoutRef: seen.payoutRef, payoutError: seen.payoutError },
    });
    return settlement;
  });
}
