import type { Logger } from 'pino';
import { findAnyBooking } from '../../integrations/operators/outgoing-bookings.ts';
import { reversalIdOf } from '../../integrations/operators/transaction-ids.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { returnPosting } from '../ledger/postings.ts';
import type { Payment } from '../payments/payment.ts';
import type { WrongDebit } from '../payments/wrong-debit.ts';
import type { RequestReview } from '../review/request-review.ts';
import type { Reversal } from './reversal.ts';
import { findReversal, insertReversal } from './store.ts';

export interface CreateReversalDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  wake(atMs: number): void;
  requestReview: RequestReview;
  onReversal(reversal: Reversal): void;
}

/**
 * The object that a wrong debit belongs to; from the payment's ledger, or from the operator's answer about an unknown
 * one.
 */
export type DebitedPayment = Pick<Payment, 'tenantId' | 'id' | 'currency' | 'operator'>;

/**
 * Books a debit that came too late, twice or with another amount to suspense, and has it reversed at the operator; a
 * debit that the ledger does not know is held there for a person. Its reference is derived from the payment and the
 * operator's transaction: reported again, the same debit changes nothing. A transaction that is booked for something
 * else is not touched, but listed for a person: then it returns false.
 * @param account ours at the operator; null: simulated
 */
export type CreateReversal = (
  payment: DebitedPayment,
  debit: WrongDebit,
  account: string | null,
) => Promise<boolean>;

export function makeCreateReversal(dependencies: CreateReversalDependencies): CreateReversal {
  return async (payment, debit, account) => {
    const nowMs = dependencies.clock.nowMs();
    const reversal = newReversal(payment, debit, nowMs);
    const posting = returnPosting(reversal, 'suspense_in', nowMs);
    const isNew = await insertReversal(dependencies.database, reversal, posting, account);
    if (!isNew) return isDoneBefore(dependencies, reversal, account);
    const { paymentId, reason, operatorTxId } = reversal;
    dependencies.log.warn({ paymentId, reason, operatorTxId }, 'a debit went to suspense');
    dependencies.onReversal(reversal);
    if (reversal.dueAtMs !== null) dependencies.wake(reversal.dueAtMs);
    return true;
  };
}

function newReversal(payment: DebitedPayment, debit: WrongDebit, nowMs: number): Reversal {
  const isHeld = debit.reason === 'UNKNOWN_REFERENCE';
  return {
    tenantId: payment.tenantId,
    id: reversalIdOf(payment.id, debit.operatorTxId),
    paymentId: payment.id,
    reason: debit.reason,
    status: isHeld ? 'HELD' : 'PENDING',
    amountMinor: debit.amountMinor,
    currency: payment.currency,
    operator: payment.operator,
    operatorTxId: debit.operatorTxId,
    operatorReversalId: null,
    failureCode: null,
    queryCount: 0,
    dueAtMs: isHeld ? null : nowMs,
    sentAtMs: null,
    byHand: false,
    createdAtMs: nowMs,
  };
}

/** Nothing was written: either the debit was booked before, or the transaction is booked for something else. */
async function isDoneBefore(
  dependencies: CreateReversalDependencies,
  reversal: Reversal,
  account: string | null,
): Promise<boolean> {
  const known = await findReversal(dependencies.database, reversal.tenantId, reversal.id);
  if (!known) {
    await reportClash(dependencies, reversal, account);
    return false;
  }
  const { operatorTxId, amountMinor } = reversal;
  if (known.amountMinor !== amountMinor) {
    const booked = {
      status: known.status,
      operatorTxId,
      amountMinor: known.amountMinor.toString(),
    };
    const told = { operatorTxId, amountMinor: amountMinor.toString() };
    const about = `${operatorTxId} ${amountMinor}`;
    const finding = { kind: 'CONTRADICTION', about, detail: { booked, told } } as const;
    await dependencies.requestReview('REVERSAL', known, finding);
  }
  return true;
}

async function reportClash(
  dependencies: CreateReversalDependencies,
  reversal: Reversal,
  account: string | null,
): Promise<void> {
  if (account === null) return;
  const { tenantId, paymentId, operator, operatorTxId, amountMinor, reason } = reversal;
  const key = { operator, account, operatorTxId };
  const booked = await findAnyBooking(dependencies.database, key);
  if (!booked) return;
  // For a reference that our records lack, the operator's list names no merchant, but a callback does.
  const isOfPayment = 'paymentId' in booked && booked.paymentId === paymentId;
  if (isOfPayment && booked.kind === 'REVERSAL') return;
  const told = { operatorTxId, amountMinor: amountMinor.toString(), as: reason };
  const subject = { tenantId, id: paymentId, operator };
  const finding = { kind: 'CLASH', about: operatorTxId, detail: { booked, told } } as const;
  await dependencies.requestReview('PAYMENT', subject, finding);
}
