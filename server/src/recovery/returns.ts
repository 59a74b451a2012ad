import type { AccountTransaction } from '../operators/adapter.ts';
import { findTransactionBooking } from '../operators/bookings.ts';
import { canonicalName, isSameName } from '../operators/names.ts';
import type { OperatorAnswer } from '../operators/operator.ts';
import { findPayment } from '../payments/store.ts';
import { findSubject, type ReviewSubject } from '../review/subjects.ts';
import { asMoved } from './debits.ts';
import type { Known, RecoverDependencies } from './dependencies.ts';
import { list, listedAbout, type Reserved } from './listing.ts';
import type { Outcome } from './outcomes.ts';

/** Holds what went back to a customer against our records. */
export async function holdGivenBack(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  { givenBack }: Known,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { operatorTxId } = transaction;
  const isTold = subject?.kind !== 'PAYMENT' && isSameName(subject?.operatorTxId, operatorTxId);
  if (isTold || givenBack.has(canonicalName(operatorTxId))) return 'KNOWN';
  if (!subject) return listGivenBack(dependencies, transaction);
  // The operator has reversed a debit by itself.
  if (subject.kind === 'PAYMENT') return listGivenBack(dependencies, transaction, subject);
  // Of one that succeeded before its id was kept, any id is the right one.
  if (subject.status === 'SUCCEEDED' && subject.operatorTxId === null) return 'KNOWN';
  const amountMinor = transaction.amountMinor ?? subject.amountMinor;
  const isMoved = asMoved(dependencies, { ...transaction, amountMinor }, subject) !== undefined;
  if (!isMoved || isOfOtherDebit(transaction, subject)) {
    return listGivenBack(dependencies, transaction, subject);
  }
  if (isSecond(subject)) return listGivenBack(dependencies, transaction, subject);
  if (dependencies.isDryRun) return subject.operatorTxId === null ? 'BOOKED' : 'LISTED';
  const { tenantId, id: reference } = subject;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  const processor = subject.kind === 'REFUND' ? dependencies.refunds : dependencies.reversals;
  await processor.notify({ tenantId, reference, answer });
  const now = await findSubject(dependencies.database, reference);
  if (isSameName(now?.operatorTxId, operatorTxId)) return 'BOOKED';
  return listedAbout(dependencies.database, tenantId, reference);
}

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
  subject?: ReviewSubject,
): Promise<Outcome> {
  const reserved = await reservationOf(dependencies, transaction, subject);
  const kind = subject ? 'CONTRADICTION' : 'UNKNOWN_REFERENCE';
  return list(dependencies, transaction, kind, { subject, reserved });
}

async function reservationOf(
  { database, operator, traits: { account } }: RecoverDependencies,
  { debitTxId, amountMinor, currency }: AccountTransaction,
  subject: ReviewSubject | undefined,
): Promise<Reserved | undefined> {
  const booking =
    debitTxId === null
      ? undefined
      : await findTransactionBooking(database, { operator, account, operatorTxId: debitTxId });
  const named = booking ?? (subject?.kind === 'REVERSAL' ? undefined : subject);
  // A wrong debit is in suspense, and no refund takes it.
  if (!named || named.kind === 'REVERSAL') return undefined;
  const { tenantId, paymentId } = named;
  const payment = await findPayment(database, tenantId, paymentId);
  if (!payment || payment.operatorTxId === null) return undefined;
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
