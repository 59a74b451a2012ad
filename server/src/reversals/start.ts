import type { Logger } from 'pino';
import { givingBackPosting } from '../ledger/posting.ts';
import { findTransactionBooking } from '../operators/bookings.ts';
import type { Payment } from '../payments/payment.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { AskPerson } from '../review/ask-person.ts';
import { type Reversal, reversalIdOf, type WrongDebit } from './reversal.ts';
import { findReversal, insertReversal } from './store.ts';

export interface StartReversalParts {
  database: Database;
  clock: Clock;
  log: Logger;
  wake(atMs: number): void;
  askPerson: AskPerson;
  onReversal(reversal: Reversal): void;
}

/** What a wrong debit is of; by the books of the payment, or by what the operator says of an unknown one. */
export type DebitedPayment = Pick<Payment, 'tenantId' | 'id' | 'currency' | 'operator'>;

/**
 * Books a debit that came too late, twice or with another amount to suspense, and has it reversed at
 * the operator; one of which the books know nothing is held there for a person. Its reference is derived
 * from the payment and the operator's transaction: heard of again, the same debit changes nothing. A
 * transaction that is booked for something else is not touched, but listed for a person: then it is false.
 * @param account ours at the operator; null: it is simulated
 */
export type StartReversal = (
  payment: DebitedPayment,
  debit: WrongDebit,
  account: string | null,
) => Promise<boolean>;

export function createStartReversal(parts: StartReversalParts): StartReversal {
  return async (payment, debit, account) => {
    const nowMs = parts.clock.nowMs();
    const reversal = newReversal(payment, debit, nowMs);
    const posting = givingBackPosting(reversal, 'suspense_in', nowMs);
    const isNew = await insertReversal(parts.database, reversal, posting, account);
    if (!isNew) return isDoneBefore(parts, reversal, account);
    const { paymentId, reason, operatorTxId } = reversal;
    parts.log.warn({ paymentId, reason, operatorTxId }, 'a debit went to suspense');
    parts.onReversal(reversal);
    if (reversal.dueAtMs !== null) parts.wake(reversal.dueAtMs);
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
    askCount: 0,
    dueAtMs: isHeld ? null : nowMs,
    sentAtMs: null,
    byHand: false,
    createdAtMs: nowMs,
  };
}

/** Nothing was written: either it had been done before, or the transaction is booked for something else. */
async function isDoneBefore(
  parts: StartReversalParts,
  reversal: Reversal,
  account: string | null,
): Promise<boolean> {
  const known = await findReversal(parts.database, reversal.tenantId, reversal.id);
  if (!known) {
    await tellOfClash(parts, reversal, account);
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
    await parts.askPerson('REVERSAL', known, finding);
  }
  return true;
}

async function tellOfClash(
  parts: StartReversalParts,
  reversal: Reversal,
  account: string | null,
): Promise<void> {
  if (account === null) return;
  const { tenantId, paymentId, operator, operatorTxId, amountMinor, reason } = reversal;
  const booked = await findTransactionBooking(parts.database, { operator, account, operatorTxId });
  if (!booked) return;
  // Of a reference that our books lack, the list of the operator names no merchant, and a callback does.
  if (booked.paymentId === paymentId && booked.kind === 'REVERSAL') return;
  const told = { operatorTxId, amountMinor: amountMinor.toString(), as: reason };
  const subject = { tenantId, id: paymentId, operator };
  const finding = { kind: 'CLASH', about: operatorTxId, detail: { booked, told } } as const;
  await parts.askPerson('PAYMENT', subject, finding);
}
