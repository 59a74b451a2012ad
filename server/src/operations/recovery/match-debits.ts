import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import { findTransactionBooking } from '../../integrations/operators/bookings.ts';
import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import { canonicalName, reversalIdOf } from '../../integrations/operators/transaction-ids.ts';
import { decide } from '../../money/payments/decide.ts';
import { refundedMinorOf } from '../../money/payments/refunded-amount.ts';
import { findPayment } from '../../money/payments/store.ts';
import { findSubject, type ReviewSubject } from '../../money/review/subjects.ts';
import { unassigned } from '../../tenants/merchants/unassigned-merchant.ts';
import type { BookedTransaction } from './bookings.ts';
import type { Known, Moved, RecoverDependencies } from './dependencies.ts';
import type { Outcome } from './outcomes.ts';
import {
  findListedItems,
  type Listed,
  list,
  type Reserved,
  referenceOf,
} from './request-review.ts';

/** Compares a successful debit with our records. */
export async function matchDebit(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  booking: BookedTransaction | undefined,
  subject: ReviewSubject | undefined,
): Promise<Outcome> {
  const { reference, amountMinor, currency } = transaction;
  if (booking && (reference === null || booking.paymentId === reference)) {
    const isSame = booking.amountMinor === null || booking.amountMinor === amountMinor;
    if (currency !== null && booking.currency !== null && currency !== booking.currency) {
      return contradict(dependencies, transaction, booking.paymentId);
    }
    if (isSame || amountMinor === null) return 'KNOWN';
    return notifyDebit(dependencies, transaction, amountMinor, booking.tenantId, booking.paymentId);
  }
  const moved = asMoved(dependencies, transaction, subject);
  if (subject?.kind === 'PAYMENT') {
    if (!moved) return list(dependencies, transaction, 'CONTRADICTION', { subject });
    return notifyDebit(dependencies, transaction, moved.amountMinor, subject.tenantId, subject.id);
  }
  return moved
    ? suspendUnknownDebit(dependencies, moved)
    : list(dependencies, transaction, 'UNKNOWN_REFERENCE');
}

/**
 * Compares a debit that the operator calls failed or reversed with our records: if it is booked, one side is wrong.
 * Its payment cannot be refunded until a person has decided.
 */
export async function matchFailedDebit(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  known: Known,
): Promise<Outcome> {
  const booking =
    known.bookings.get(transaction.operatorTxId) ??
    known.expected.get(canonicalName(transaction.operatorTxId));
  if (!booking) return 'NOTHING';
  const { tenantId, paymentId, kind, amountMinor } = booking;
  const { operatorTxId, isReversed = false } = transaction;
  if (kind === 'REVERSAL') {
    const id = reversalIdOf(paymentId, operatorTxId);
    const reversal = await findSubject(dependencies.database, id);
    if (isReversed && reversal?.status === 'SUCCEEDED') return 'KNOWN';
    // Like a return of the debit: it must not go back again.
    const returned = { ...transaction, debitTxId: operatorTxId };
    return list(dependencies, returned, 'CONTRADICTION', {
      subject: reversal ?? expectedBooking(booking, id),
    });
  }
  if (amountMinor === null) return contradict(dependencies, transaction, paymentId);
  const refundedMinor = isReversed ? await refundedMinorOf(dependencies.database, booking) : 0n;
  if (refundedMinor >= amountMinor) return 'KNOWN';
  return contradict(dependencies, transaction, paymentId, { tenantId, paymentId, amountMinor });
}

/** The reversal that a wrong debit in the list is about to get. */
const expectedBooking = (
  { tenantId, operatorTxId, amountMinor, currency }: BookedTransaction,
  id: string,
): Listed => ({
  kind: 'REVERSAL',
  tenantId,
  id,
  status: 'HELD',
  operatorTxId: null,
  debitTxId: operatorTxId,
  amountMinor: amountMinor ?? 0n,
  currency: currency ?? '',
});

async function contradict(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  id: string,
  reserved?: Reserved,
): Promise<Outcome> {
  const subject = await findSubject(dependencies.database, id);
  return list(dependencies, transaction, 'CONTRADICTION', { subject, reserved });
}

/** Undefined if the amount or currency cannot be booked, or differs from our request. */
export function asMoved(
  { currencies }: RecoverDependencies,
  transaction: AccountTransaction,
  subject?: ReviewSubject,
): Moved | undefined {
  const { amountMinor } = transaction;
  const [only] = currencies.length === 1 ? currencies : [];
  const currency = transaction.currency ?? subject?.currency ?? only;
  if (currency !== 'CVE' && currency !== 'AOA') return undefined;
  if (amountMinor === null || amountMinor <= 0n) return undefined;
  if (subject && subject.currency !== currency) return undefined;
  return { ...transaction, amountMinor, currency };
}

async function notifyDebit(
  dependencies: RecoverDependencies,
  { operatorTxId }: AccountTransaction,
  amountMinor: bigint,
  tenantId: string,
  paymentId: string,
): Promise<Outcome> {
  const { database, operator, traits } = dependencies;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId, amountMinor };
  if (dependencies.isDryRun) return decided(dependencies, tenantId, paymentId, answer);
  await dependencies.payments.notify({ tenantId, reference: paymentId, answer });
  const { account } = traits;
  const now = await findTransactionBooking(database, { operator, account, operatorTxId });
  const payment = await findPayment(database, tenantId, paymentId);
  const isOurs = now?.tenantId === tenantId && now.paymentId === paymentId;
  if (isOurs && now.kind === 'REVERSAL') return 'REVERSED';
  if (isOurs && payment?.amountMinor === amountMinor) return 'BOOKED';
  return findListedItems(database, tenantId, paymentId);
}

/** The consequence of a debit. */
async function decided(
  { database, clock, timing, operator, traits }: RecoverDependencies,
  tenantId: string,
  id: string,
  answer: OperatorAnswer & { kind: 'succeeded' },
): Promise<Outcome> {
  const payment = await findPayment(database, tenantId, id);
  const { account } = traits;
  const key = { operator, account, operatorTxId: answer.operatorTxId };
  const booking = await findTransactionBooking(database, key);
  if (!payment || (booking && booking.paymentId !== id)) return 'LISTED';
  const decision = decide(payment, answer, clock.nowMs(), timing, traits);
  if (decision.to === 'DEBITED') return 'BOOKED';
  return decision.reverse ? 'REVERSED' : 'LISTED';
}

/** The customer has paid, and our records do not know what for: a person must find out before it goes back. */
async function suspendUnknownDebit(
  dependencies: RecoverDependencies,
  moved: Moved,
): Promise<Outcome> {
  const { operatorTxId, amountMinor, currency } = moved;
  const { operator, database, traits } = dependencies;
  const key = { operator, account: traits.account, operatorTxId };
  const id = referenceOf(moved);
  const { tenantId } = unassigned;
  if (!dependencies.isDryRun) {
    await dependencies.ensureUnassigned();
    const debit = { reason: 'UNKNOWN_REFERENCE', operatorTxId, amountMinor } as const;
    await dependencies.reverse({ tenantId, id, currency, operator }, debit, traits.account);
  }
  const booking = await findTransactionBooking(database, key);
  // If it is booked for something else, it is a clash, which is listed.
  if (booking && booking.paymentId !== id) {
    return dependencies.isDryRun ? 'LISTED' : findListedItems(database, tenantId, id);
  }
  await list(dependencies, moved, 'UNKNOWN_REFERENCE');
  return 'HELD';
}
