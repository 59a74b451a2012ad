import type { FailureCode } from '../operators/operator.ts';
import { behaviourOf } from '../operators/simulator/behaviour.ts';
import type { Transaction } from './store.ts';

export interface OutcomeError {
  category: string;
  code: string;
}

const rejected: OutcomeError = { category: 'businessRule', code: 'genericError' };

/** How the standard says why a debit failed; it has no word for a phone that cannot be reached. */
const errors: Partial<Record<FailureCode, OutcomeError>> = {
  PAYER_LIMIT_REACHED: { category: 'businessRule', code: 'dailyValueLimitExceeded' },
  PAYER_NOT_FOUND: { category: 'identification', code: 'identifierError' },
  PAYER_DECLINED: { category: 'authorisation', code: 'requestDeclined' },
  PAYER_AUTH_FAILED: { category: 'authorisation', code: 'requestingPartyAuthorisationError' },
  INSUFFICIENT_FUNDS: { category: 'businessRule', code: 'insufficientFunds' },
  OPERATOR_ERROR: { category: 'internal', code: 'genericError' },
  OPERATOR_UNAVAILABLE: { category: 'serviceUnavailable', code: 'genericError' },
};

/** How a transaction ends: undefined where it succeeds. */
export function outcomeOf({ kind, payer }: Transaction): OutcomeError | undefined {
  const { failureCode, refundFailureCode } = behaviourOf(payer);
  if (kind === 'merchantpay') return failureCode && (errors[failureCode] ?? rejected);
  return refundFailureCode && { category: 'businessRule', code: 'incorrectState' };
}

export interface Times {
  promptMs: number;
  confirmMs: number;
  lateConfirmMs: number;
}

/** How long the payer takes; null where only `/_simulator/confirm` ends it. */
export function confirmationMs(payer: string, times: Times): number | null {
  const { outcome } = behaviourOf(payer);
  if (outcome === 'NEVER' || outcome === 'CONFIRM') return null;
  return outcome === 'LATE' ? times.lateConfirmMs : times.confirmMs;
}

/** A payer who confirms late takes no notice of being hurried. */
export const canBeConfirmed = ({ kind, status, payer }: Transaction) =>
  kind === 'merchantpay' && status === 'pending' && behaviourOf(payer).outcome !== 'LATE';

/** How many callbacks tell of the outcome of an honest operator. */
export const callbacksOf = ({ kind, payer }: Transaction) =>
  kind === 'merchantpay' ? behaviourOf(payer).callbacks : 1;
