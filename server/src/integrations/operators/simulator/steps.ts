import type { Queryable } from '../../../platform/postgres/database.ts';
import type { DebitRecord, DebitRequest, OperatorAnswer } from '../operator.ts';
import { behaviourOf } from './behaviour.ts';
import type { SimulatedTransaction } from './store.ts';

/** The customer enters the PIN. */
export interface PinEntry {
  answer: OperatorAnswer & { kind: 'succeeded' | 'failed' };
  /** Has the operator decide by it, in the caller's transaction; false if it has decided meanwhile. */
  decide(transaction: Queryable): Promise<boolean>;
}

/** Not decided yet. */
export const isOpen = ({ status }: SimulatedTransaction) =>
  status === 'PENDING' || status === 'PROMPTED';

/** What the customer's answer makes of it, whatever his phone has him answer. */
export function decided(
  row: SimulatedTransaction,
  status: 'SUCCEEDED' | 'FAILED',
): SimulatedTransaction {
  const failureCode = status === 'FAILED' ? (behaviourOf(row.phone).failureCode ?? null) : null;
  return { ...row, status, failureCode, dueAtMs: null };
}

/** A debit as it is first recorded. */
export const newDebit = (
  request: DebitRequest,
  record: DebitRecord,
  createdAtMs: number,
): SimulatedTransaction => ({
  tenantId: request.tenantId,
  reference: request.reference,
  kind: 'DEBIT',
  operator: request.operator,
  phone: request.phone,
  amountMinor: request.amountMinor,
  currency: request.currency,
  reversedTxId: null,
  expiresAtMs: request.expiresAtMs,
  createdAtMs,
  ...record,
});

/** Prompted first, then decided; a customer who never answers runs into the payment's expiry. */
export function nextOf(row: SimulatedTransaction, nowMs: number): SimulatedTransaction {
  const { outcome, failureCode } = behaviourOf(row.phone);
  if (row.decideAtMs !== null && nowMs >= row.decideAtMs) {
    const status = outcome === 'FAIL' ? 'FAILED' : 'SUCCEEDED';
    return { ...row, status, failureCode: failureCode ?? null, dueAtMs: null };
  }
  const endsByItself = outcome !== 'LATE';
  if (endsByItself && nowMs >= row.expiresAtMs) {
    return { ...row, status: 'FAILED', failureCode: 'CONFIRMATION_TIMEOUT', dueAtMs: null };
  }
  const dueAtMs = endsByItself ? (row.decideAtMs ?? row.expiresAtMs) : null;
  return { ...row, status: 'PROMPTED', dueAtMs };
}

/** What the operator says of it. */
export function answerOf(row: SimulatedTransaction): OperatorAnswer {
  switch (row.status) {
    case 'SUCCEEDED':
      return { kind: 'succeeded', operatorTxId: row.operatorTxId, amountMinor: row.amountMinor };
    case 'FAILED':
      return { kind: 'failed', failureCode: row.failureCode ?? 'OPERATOR_ERROR' };
    case 'PROMPTED':
    case 'PENDING':
      return { kind: 'unknown', progress: row.status };
  }
}

/** Looks like an operator's own number, and is the same whenever the reference is. */
export function transactionId(reference: string): string {
  const lastDigits = reference.slice(14, 18) + reference.slice(19, 23) + reference.slice(24);
  return `SIM${lastDigits.toUpperCase()}`;
}
