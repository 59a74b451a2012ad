import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import { findTransactionBooking } from '../../integrations/operators/bookings.ts';
import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import { canonicalName, isSameName } from '../../integrations/operators/transaction-ids.ts';
import { findPayment } from '../../money/payments/store.ts';
import { findSubject, type ReviewSubject } from '../../money/review/subjects.ts';
import type { BookedReturn } from './bookings.ts';
import type { Known, RecoverDependencies } from './dependencies.ts';
import { asMoved } from './match-debits.ts';
import type { Outcome } from './outcomes.ts';
import { findListedItems, list, type Reserved } from './request-review.ts';

/** Compares money returned to a customer with our records. */
export async function matchReturn(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { operatorTxId } = transaction;
  const booked = bookedReturn(transaction, known, subject);
  if (booked) {
    if (isAsBooked(transaction, booked)) return 'KNOWN';
    return reviewReturn(dependencies, transaction, known, await subjectOf(dependencies, booked));
  }
  // The operator has reversed a debit on its own.
  if (!subject || subject.kind === 'PAYMENT' || subject.kind === 'DISBURSEMENT') {
    return reviewReturn(dependencies, transaction, known, subject);
  }
  // A refund that succeeded before ids were stored matches any id.
  if (subject.status === 'SUCCEEDED' && subject.operatorTxId === null) return 'KNOWN';
  const amountMinor = transaction.amountMinor ?? subject.amountMinor;
  const isMoved = asMoved(dependencies, { ...transaction, amountMinor }, subject) !== undefined;
  // Another transaction of the list may have been booked for it since.
  const current = (await findSubject(dependencies.database, subject.id)) ?? subject;
  if (!isMoved || isOfOtherDebit(transaction, subject) || isSecond(current)) {
    return reviewReturn(dependencies, transaction, known, current);
  }
  if (dependencies.isDryRun) return current.operatorTxId === null ? 'BOOKED' : 'LISTED';
  const { tenantId, id: reference } = subject;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  const processor = subject.kind === 'REFUND' ? dependencies.refunds : dependencies.reversals;
  await processor.notify({ tenantId, reference, answer });
  const now = await findSubject(dependencies.database, reference);
  if (isSameName(now?.operatorTxId, operatorTxId)) return 'BOOKED';
  return findListedItems(dependencies.database, tenantId, reference);
}

/** A return in progress, which may succeed. An open refund or reversal of ours already reserves its amount. */
export async function matchOpenReturn(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  if (bookedReturn(transaction, known, subject)) {
    return transaction.deniesSuccess
      ? matchFailedReturn(dependencies, transaction, known, subject)
      : 'OPEN';
  }
  const isExplained =
    subject !== undefined &&
    subject.kind !== 'PAYMENT' &&
    (subject.kind === 'REVERSAL' || (subject.status !== 'FAILED' && !isSecond(subject))) &&
    !isOfOtherDebit(transaction, subject);
  return isExplained ? 'OPEN' : reviewReturn(dependencies, transaction, known, subject);
}

/** A failed return moved no money: if it is booked as returned, one side is wrong. */
export async function matchFailedReturn(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const isUnnamed = subject?.status === 'SUCCEEDED' && subject.operatorTxId === null;
  const booked = bookedReturn(transaction, known, subject) ?? (isUnnamed ? subject : undefined);
  if (!booked) return 'NOTHING';
  const about = await subjectOf(dependencies, booked);
  return list(dependencies, transaction, 'CONTRADICTION', { subject: about });
}

type Booked = Pick<BookedReturn, 'id' | 'amountMinor' | 'currency' | 'debitTxId'>;

/** The refund or reversal for which a transaction is booked. */
function bookedReturn(
  { operatorTxId }: AccountTransaction,
  { returned }: Known,
  subject: ReviewSubject | undefined,
): Booked | undefined {
  const isIts = subject?.kind !== 'PAYMENT' && isSameName(subject?.operatorTxId, operatorTxId);
  return isIts ? subject : returned.get(canonicalName(operatorTxId));
}

/** Fields that the operator omits make no difference. */
const isAsBooked = (
  { amountMinor, currency, debitTxId }: AccountTransaction,
  booked: Booked,
): boolean =>
  (amountMinor ?? booked.amountMinor) === booked.amountMinor &&
  (currency ?? booked.currency) === booked.currency &&
  (debitTxId === null || isSameName(debitTxId, booked.debitTxId));

const subjectOf = ({ database }: RecoverDependencies, { id }: Booked) => findSubject(database, id);

/** The refund has another transaction, or a person recorded its failure: nothing is booked for it. */
const isSecond = ({ kind, status, operatorTxId, byHand }: ReviewSubject): boolean =>
  kind === 'REFUND' && (operatorTxId !== null || (status === 'FAILED' && byHand));

/**
 * Shows a person an unexplained return. If its payment is known, that amount cannot be refunded until the person has
 * closed the item.
 */
export async function reviewReturn(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject?: ReviewSubject,
): Promise<Outcome> {
  const reserved = await reservationOf(dependencies, transaction, known, subject);
  const kind = subject ? 'CONTRADICTION' : 'UNKNOWN_REFERENCE';
  return list(dependencies, transaction, kind, { subject, reserved });
}

async function reservationOf(
  { database, operator, traits: { account } }: RecoverDependencies,
  { debitTxId, amountMinor, currency }: AccountTransaction,
  { expected }: Known,
  subject: ReviewSubject | undefined,
): Promise<Reserved | undefined> {
  const due = debitTxId === null ? undefined : expected.get(canonicalName(debitTxId));
  const booking =
    debitTxId === null
      ? undefined
      : ((await findTransactionBooking(database, { operator, account, operatorTxId: debitTxId })) ??
        (due?.kind === 'DEBIT' ? due : undefined));
  const named = booking ?? (subject?.kind === 'REVERSAL' ? undefined : subject);
  // A wrong debit is in suspense, which no refund can use.
  if (!named || named.kind === 'REVERSAL') return undefined;
  const { tenantId, paymentId } = named;
  if (paymentId === null) return undefined;
  const payment = await findPayment(database, tenantId, paymentId);
  if (!payment) return undefined;
  const isOfPart =
    amountMinor !== null &&
    amountMinor > 0n &&
    amountMinor < payment.amountMinor &&
    (currency ?? payment.currency) === payment.currency;
  // An unreadable amount may be the whole payment.
  return { tenantId, paymentId, amountMinor: isOfPart ? amountMinor : payment.amountMinor };
}

/** It returned another debit than we requested, or is the debit itself, which returned nothing. */
const isOfOtherDebit = (
  { operatorTxId, debitTxId }: AccountTransaction,
  subject: ReviewSubject,
): boolean =>
  isSameName(operatorTxId, subject.debitTxId) ||
  (debitTxId !== null && !isSameName(debitTxId, subject.debitTxId));
