import type { AccountTransaction } from '../operators/adapter.ts';
import type { OperatorAnswer } from '../operators/operator.ts';
import { findSubject, type ReviewSubject } from '../review/subjects.ts';
import { asMoved } from './debits.ts';
import type { Known, RecoverDependencies } from './dependencies.ts';
import { list, listedAbout } from './listing.ts';
import type { Outcome } from './outcomes.ts';

/** Holds what went back to a customer against our records. */
export async function holdGivenBack(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  { givenBack }: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { operatorTxId } = transaction;
  const isTold = subject?.kind !== 'PAYMENT' && subject?.operatorTxId === operatorTxId;
  if (isTold || givenBack.has(operatorTxId)) return 'KNOWN';
  if (!subject) return list(dependencies, transaction, 'UNKNOWN_REFERENCE');
  // The operator has reversed a debit by itself.
  if (subject.kind === 'PAYMENT') return list(dependencies, transaction, 'CONTRADICTION', subject);
  // Of one that succeeded before its id was kept, any id is the right one.
  if (subject.status === 'SUCCEEDED' && subject.operatorTxId === null) return 'KNOWN';
  const amountMinor = transaction.amountMinor ?? subject.amountMinor;
  if (!asMoved(dependencies, { ...transaction, amountMinor }, subject)) {
    return list(dependencies, transaction, 'CONTRADICTION', subject);
  }
  if (dependencies.isDryRun) return subject.operatorTxId === null ? 'BOOKED' : 'LISTED';
  const { tenantId, id: reference } = subject;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  const processor = subject.kind === 'REFUND' ? dependencies.refunds : dependencies.reversals;
  await processor.notify({ tenantId, reference, answer });
  const now = await findSubject(dependencies.database, reference);
  if (now?.operatorTxId === operatorTxId) return 'BOOKED';
  return listedAbout(dependencies.database, tenantId, reference);
}
