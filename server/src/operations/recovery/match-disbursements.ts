import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import { isName, isSameName } from '../../integrations/operators/transaction-ids.ts';
import { findSubject, type ReviewSubject } from '../../money/review/subjects.ts';
import type { RecoverDependencies } from './dependencies.ts';
import type { Outcome } from './outcomes.ts';
import { findListedItems, list } from './request-review.ts';

/** Compares money paid out to a wallet, under the name of a disbursement of ours, with our records. */
export async function matchDisbursement(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { status } = transaction;
  if (status === 'OPEN' && !transaction.isReversed) {
    const isDenied = transaction.deniesSuccess && isBooked(transaction, subject);
    return isDenied ? list(dependencies, transaction, 'CONTRADICTION', { subject }) : 'OPEN';
  }
  if (status === 'FAILED') return matchFailure(dependencies, transaction, subject);
  // Of another operator of ours, or unlike our request.
  if (status !== 'SUCCEEDED' || !subject || !isAsRequested(transaction, subject)) {
    return list(dependencies, transaction, 'CONTRADICTION', { subject });
  }
  if (isSameName(subject.operatorTxId, transaction.operatorTxId)) return 'KNOWN';
  if (subject.operatorTxId !== null) {
    return list(dependencies, transaction, 'CONTRADICTION', { subject });
  }
  return notify(dependencies, transaction, subject);
}

/** A failed one moved no money: if it is booked, one side is wrong. */
async function matchFailure(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  return isBooked(transaction, subject)
    ? list(dependencies, transaction, 'CONTRADICTION', { subject })
    : 'NOTHING';
}

const isBooked = ({ operatorTxId }: AccountTransaction, subject: ReviewSubject | undefined) =>
  subject !== undefined &&
  subject.operatorTxId !== null &&
  isSameName(subject.operatorTxId, operatorTxId);

/** Fields that the operator omits make no difference. */
const isAsRequested = (
  { operatorTxId, amountMinor, currency }: AccountTransaction,
  subject: ReviewSubject,
): boolean =>
  isName(operatorTxId) &&
  (amountMinor ?? subject.amountMinor) === subject.amountMinor &&
  (currency ?? subject.currency) === subject.currency;

async function notify(
  { database, disbursements, isDryRun }: RecoverDependencies,
  { operatorTxId }: AccountTransaction,
  { tenantId, id, reference, amountMinor }: ReviewSubject,
): Promise<Outcome> {
  if (isDryRun) return 'BOOKED';
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  await disbursements.notify({ tenantId, reference, answer });
  const now = await findSubject(database, id);
  if (isSameName(now?.operatorTxId, operatorTxId)) return 'BOOKED';
  return findListedItems(database, tenantId, id);
}
