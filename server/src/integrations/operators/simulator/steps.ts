import type { Queryable } from '../../../platform/postgres/database.ts';
import type {
  DebitRecord,
  DebitRequest,
  DisbursementRequest,
  OperatorAnswer,
} from '../operator.ts';
import { behaviourOf, payeeBehaviourOf } from './behaviour.ts';
import type { SimulatedTransaction } from './store.ts';

/** The customer enters the PIN. */
export interface PinEntry {
  answer: OperatorAnswer & { kind: 'succeeded' | 'failed' };
  /** Makes the operator decide by the PIN, in the caller's transaction; false if it has decided meanwhile. */
  decide(transaction: Queryable): Promise<boolean>;
}

/** Not decided yet. */
export const isOpen = ({ status }: SimulatedTransaction) =>
  status === 'PENDING' || status === 'PROMPTED';

/** The outcome of the customer's answer, regardless of the phone number's behaviour in time. */
export function decided(
  row: SimulatedTransaction,
  status: 'SUCCEEDED' | 'FAILED',
): SimulatedTransaction {
  const failureCode = status === 'FAILED' ? (behaviourOf(row.phone).failureCode ?? null) : null;
  return { ...row, status, failureCode, dueAtMs: null };
}

/** The first record of a debit. */
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

/** Prompted first, then decided; a customer who never answers lets the payment expire. */
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

/** The operator's answer about it. */
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

/** Looks like an operator's own transaction id, and is derived from the reference. */
export function transactionId(reference: string): string {
  const lastDigits = reference.slice(14, 18) + reference.slice(19, 23) + reference.slice(24);
  return `SIM${lastDigits.toUpperCase()}`;
}

/** A late success comes long enough after the failure for the gateway to have booked that. */
const shortestLatenessMs = 1_000;

/** The first record of a disbursement, decided already if there is no delay. The account there is never empty. */
export function newDisbursement(
  request: DisbursementRequest,
  nowMs: number,
  delayMs: number,
): SimulatedTransaction {
  const { tenantId, reference, operator, phone, amountMinor, currency } = request;
  const decideAtMs = nowMs + delayMs;
  const row: SimulatedTransaction = {
    tenantId,
    reference,
    kind: 'DISBURSEMENT',
    operator,
    phone,
    amountMinor,
    currency,
    status: 'PENDING',
    failureCode: null,
    operatorTxId: transactionId(reference),
    reversedTxId: null,
    decideAtMs,
    expiresAtMs: decideAtMs,
    dueAtMs: decideAtMs,
    createdAtMs: nowMs,
  };
  return delayMs === 0 ? nextOfDisbursement(row, nowMs, delayMs) : row;
}

/**
 * The outcome; after a failure that is not the last word, the success. That stays due until the gateway has heard of
 * it, since nobody asks about a failed disbursement.
 */
export function nextOfDisbursement(
  row: SimulatedTransaction,
  nowMs: number,
  delayMs: number,
): SimulatedTransaction {
  const { outcome, failureCode } = payeeBehaviourOf(row.phone);
  const fails = outcome === 'FAIL' || (outcome === 'LATE' && row.status === 'PENDING');
  const dueAtMs = outcome === 'LATE' ? nowMs + Math.max(delayMs, shortestLatenessMs) : null;
  if (!fails) return { ...row, status: 'SUCCEEDED', failureCode: null, dueAtMs };
  return { ...row, status: 'FAILED', failureCode: failureCode ?? null, dueAtMs };
}
