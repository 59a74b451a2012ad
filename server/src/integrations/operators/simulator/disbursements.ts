import type { DisbursementRequest } from '../operator.ts';
import { payeeBehaviourOf } from './payee-behaviour.ts';
import { transactionId } from './steps.ts';
import type { SimulatedTransaction } from './store.ts';

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

/** The outcome; after a failure that is not the last word, the success. */
export function nextOfDisbursement(
  row: SimulatedTransaction,
  nowMs: number,
  delayMs: number,
): SimulatedTransaction {
  const { outcome, failureCode } = payeeBehaviourOf(row.phone);
  const fails = outcome === 'FAIL' || (outcome === 'LATE' && row.status !== 'FAILED');
  if (!fails) return { ...row, status: 'SUCCEEDED', failureCode: null, dueAtMs: null };
  const dueAtMs = outcome === 'LATE' ? nowMs + Math.max(delayMs, shortestLatenessMs) : null;
  return { ...row, status: 'FAILED', failureCode: failureCode ?? null, dueAtMs };
}
