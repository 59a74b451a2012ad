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
import { list, listedAbout, type Reserved } from './request-review.ts';

/** Holds what went back to a customer against our records. */
export async function holdGivenBack(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { operatorTxId } = transaction;
  const booked = bookedReturn(transaction, known, subject);
  if (booked) {
    if (isAsBooked(transaction, booked)) return 'KNOWN';
    return listGivenBack(dependencies, transaction, known, await subjectOf(dependencies, booked));
  }
  // The operator has reversed a debit by itself.
  if (!subject || subject.kind === 'PAYMENT') {
    return listGivenBack(dependencies, transaction, known, subject);
  }
  // Of one that succeeded before its id was kept, any id is the right one.
  if (subject.status === 'SUCCEEDED' && subject.operatorTxId === null) return 'KNOWN';
  const amountMinor = transaction.amountMinor ?? subject.amountMinor;
  const isMoved = asMoved(dependencies, { ...transaction, amountMinor }, subject) !== undefined;
  // Another of the list may have been booked for it since.
  const current = (await findSubject(dependencies.database, subject.id)) ?? subject;
  if (!isMoved || isOfOtherDebit(transaction, subject) || isSecond(current)) {
    return listGivenBack(dependencies, transaction, known, current);
  }
  if (dependencies.isDryRun) return current.operatorTxId === null ? 'BOOKED' : 'LISTED';
  const { tenantId, id: reference } = subject;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  const processor = subject.kind === 'REFUND' ? dependencies.refunds : dependencies.reversals;
  await processor.notify({ tenantId, reference, answer });
  const now = await findSubject(dependencies.database, reference);
  if (isSameName(now?.operatorTxId, operatorTxId)) return 'BOOKED';
  return listedAbout(dependencies.database, tenantId, reference);
}

/** What is on its way back, and may arrive: of a refund or reversal of ours that is open its own row reserves it. */
export async function holdOpenReturn(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  if (bookedReturn(transaction, known, subject)) return 'OPEN';
  const isExplained =
    subject !== undefined &&
    subject.kind !== 'PAYMENT' &&
    (subject.kind === 'REVERSAL' || (subject.status !== 'FAILED' && !isSecond(subject))) &&
    !isOfOtherDebit(transaction, subject);
  return isExplained ? 'OPEN' : listGivenBack(dependencies, transaction, known, subject);
}

/** What the operator calls failed did not go back: where it is booked as gone back, either is wrong. */
export async function holdFailedReturn(
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

/** The refund or reversal that a transaction is booked as what gave it back. */
function bookedReturn(
  { operatorTxId }: AccountTransaction,
  { givenBack }: Known,
  subject: ReviewSubject | undefined,
): Booked | undefined {
  const isIts = subject?.kind !== 'PAYMENT' && isSameName(subject?.operatorTxId, operatorTxId);
  return isIts ? subject : givenBack.get(canonicalName(operatorTxId));
}

/** What the operator does not tell makes no difference. */
const isAsBooked = (
  { amountMinor, currency, debitTxId }: AccountTransaction,
  booked: Booked,
): boolean =>
  (amountMinor ?? booked.amountMinor) === booked.amountMinor &&
  (currency ?? booked.currency) === booked.currency &&
  (debitTxId === null || isSameName(debitTxId, booked.debitTxId));

const subjectOf = ({ database }: RecoverDependencies, { id }: Booked) => findSubject(database, id);

/** The refund has another transaction, or a person said that it failed: nothing is booked for it. */
const isSecond = ({ kind, status, operatorTxId, byHand }: ReviewSubject): boolean =>
  kind === 'REFUND' && (operatorTxId !== null || (status === 'FAILED' && byHand));

/**
 * Shows a person what went back without our knowing why. Where it is known which payment it is of, that much of it
 * cannot be refunded until the person has closed the item.
 */
export async function listGivenBack(
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
  // A wrong debit is in suspense, and no refund takes it.
  if (!named || named.kind === 'REVERSAL') return undefined;
  const { tenantId, paymentId } = named;
  const payment = await findPayment(database, tenantId, paymentId);
  if (!payment) return undefined;
  const isOfPart =
    amountMinor !== null &&
    amountMinor > 0n &&
    amountMinor < payment.amountMinor &&
    (currency ?? payment.currency) === payment.currency;
  // Of an amount that cannot be read it may be all.
  return { tenantId, paymentId, amountMinor: isOfPart ? amountMinor : payment.amountMinor };
}

/** It gave back another debit than we asked for, or is the debit itself, which gave nothing back. */
const isOfOtherDebit = (
  { operatorTxId, debitTxId }: AccountTransaction,
  subject: ReviewSubject,
): boolean =>
  isSameName(operatorTxId, subject.debitTxId) ||
  (debitTxId !== null && !isSameName(debitTxId, subject.debitTxId));
