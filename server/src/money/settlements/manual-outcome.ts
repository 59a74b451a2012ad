import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { notNow } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { FourEyes } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { completeSettlement, type FinishDependencies, failSettlement } from './finish.ts';
import { payoutFiles } from './payout-file.ts';
import type { Settlement } from './settlement.ts';

type Dependencies = Administration & {
  database: Database;
  fourEyes: FourEyes;
  /** The folder of payout files. */
  payoutFolder: string;
};

/** The recorded outcome, and anything left for a person to do. */
export interface RecordedOutcome {
  settlement: Settlement;
  warning: Warning | null;
}

/**
 * NOT_HANDED_OVER: nobody knows whether the order reached the bank. TAKEN_BACK: the bank may have read the file
 * before. NOT_TAKEN_BACK: the bank may still read it.
 */
export interface Warning {
  kind: 'NOT_HANDED_OVER' | 'TAKEN_BACK' | 'NOT_TAKEN_BACK';
  text: string;
}

/** Runs in the same transaction: an error in it undoes the rest. */
type Also = (transaction: Queryable, warning: Warning | null) => Promise<void>;

/**
 * Records a person's report that the bank has paid, with an audit record.
 * @throws INVALID_STATE as in {@link completeSettlement}
 */
export function completeByHand(
  dependencies: Dependencies,
  seen: Settlement,
  also?: Also,
): Promise<RecordedOutcome> {
  const { payoutError } = seen;
  const warning: Warning | null =
    payoutError === null
      ? null
      : {
          kind: 'NOT_HANDED_OVER',
          text: `Its payout was not handed over (${payoutError}): make sure that the bank has paid it exactly once.`,
        };
  const change = async (within: FinishDependencies) => ({
    settlement: await completeSettlement(within, seen),
    warning,
  });
  return inRecord(dependencies, { seen, action: 'settlement.completed', change, also });
}

/** The new name of a file that was taken back; undefined if there was none. */
type Withdrawal = string | undefined | Error;

/**
 * Records a person's report that the bank has not paid. The file is taken back before the settlement is certainly
 * FAILED: never the other way round.
 * @throws INVALID_STATE as in {@link failSettlement}
 */
export async function failByHand(
  dependencies: Dependencies,
  seen: Settlement,
  also?: Also,
): Promise<RecordedOutcome> {
  const { payoutFolder: folder } = dependencies;
  const { payoutRef } = seen;
  let file: Withdrawal;
  const change = async (within: FinishDependencies) => {
    const settlement = await failSettlement(within, seen);
    if (payoutRef === null) return { settlement, warning: null };
    file = await payoutFiles(folder)
      .withdraw(payoutRef)
      .catch((error: Error) => error);
    return { settlement, warning: warningOf(payoutRef, folder, file) };
  };
  try {
    return await inRecord(dependencies, { seen, action: 'settlement.failed', change, also });
  } catch (error) {
    if (typeof file !== 'string') throw error;
    throw notNow(
      `It is unknown whether the settlement is FAILED: ${(error as Error).message}. Its file was already taken back and is now ${file}. Repeat the command, or rename the file back.`,
    );
  }
}

function warningOf(payoutRef: string, folder: string, file: Withdrawal): Warning {
  if (typeof file === 'string') {
    const text = `Its file is now ${file}; make sure that the bank had not taken it before.`;
    return { kind: 'TAKEN_BACK', text };
  }
  const reason = file
    ? `it cannot be taken back (${file.message})`
    : `it does not lie in ${folder}`;
  const text = `Make sure that the bank does not pay ${payoutRef} after all: ${reason}.`;
  return { kind: 'NOT_TAKEN_BACK', text };
}

interface Recorded {
  seen: Settlement;
  action: 'settlement.completed' | 'settlement.failed';
  change: (within: FinishDependencies) => Promise<RecordedOutcome>;
  also: Also | undefined;
}

function inRecord(
  dependencies: Dependencies,
  { seen, action, change, also }: Recorded,
): Promise<RecordedOutcome> {
  return dependencies.database.transaction(async (transaction) => {
    const within = { ...dependencies, database: transaction, dispatcher: noDispatcher };
    const finished = await change(within);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: seen.tenantId,
      action,
      subject: formatId('se', seen.id),
      before: { status: seen.status },
      after: { status: finished.settlement.status },
      detail: { payoutRef: seen.payoutRef, payoutError: seen.payoutError },
    });
    await also?.(transaction, finished.warning);
    return finished;
  });
}
