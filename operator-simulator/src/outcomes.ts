import type { FailureCode } from '../../server/src/integrations/operators/operator.ts';
import { behaviourOf } from '../../server/src/integrations/operators/simulator/behaviour.ts';
import type { Transaction } from './records.ts';

export interface OutcomeError {
  category: string;
  code: string;
}

const rejected: OutcomeError = { category: 'businessRule', code: 'genericError' };

/**
 * How the standard says why a debit failed; it has no word for a phone that cannot be
 * reached, nor for a payer who does not answer.
 */
const errors: Partial<Record<FailureCode, OutcomeError>> = {
  PAYER_LIMIT_REACHED: { category: 'businessRule', code: 'dailyValueLimitExceeded' },
  PAYER_NOT_FOUND: { category: 'identification', code: 'identifierError' },
  PAYER_DECLINED: { category: 'authorisation', code: 'requestDeclined' },
  PAYER_AUTH_FAILED: { category: 'authorisation', code: 'requestingPartyAuthorisationError' },
  INSUFFICIENT_FUNDS: { category: 'businessRule', code: 'insufficientFunds' },
  OPERATOR_ERROR: { category: 'internal', code: 'genericError' },
  OPERATOR_UNAVAILABLE: { category: 'serviceUnavailable', code: 'genericError' },
};

/**
 * How a transaction ends: undefined if it succeeds.
 * @param isConfirmed somebody plays the payer; else a payer who waits for that has not answered in time
 */
export function outcomeOf(
  { kind, payer }: Transaction,
  isConfirmed: boolean,
): OutcomeError | undefined {
  const { outcome, failureCode, refundFailureCode } = behaviourOf(payer);
  const isSilent = outcome === 'NEVER' || outcome === 'CONFIRM';
  if (kind === 'merchantpay' && isSilent && !isConfirmed) return rejected;
  if (kind === 'merchantpay') return failureCode && (errors[failureCode] ?? rejected);
  return refundFailureCode && { category: 'businessRule', code: 'incorrectState' };
}

export interface Times {
  promptMs: number;
  confirmMs: number;
  lateConfirmMs: number;
  /** After which a request that nobody has confirmed fails. */
  expiryMs: number;
}

/** How long it takes until there is an outcome, unless somebody plays the payer before. */
export function confirmationMs(payer: string, times: Times): number {
  const { outcome } = behaviourOf(payer);
  if (outcome === 'NEVER' || outcome === 'CONFIRM') return times.expiryMs;
  return outcome === 'LATE' ? times.lateConfirmMs : times.confirmMs;
}

/** A payer who confirms late takes no notice of being hurried. */
export const canBeConfirmed = ({ kind, status, payer }: Transaction) =>
  kind === 'merchantpay' && status === 'pending' && behaviourOf(payer).outcome !== 'LATE';

/** How many callbacks tell of the outcome of an honest operator. */
export const callbacksOf = ({ kind, payer }: Transaction) =>
  kind === 'merchantpay' ? behaviourOf(payer).callbacks : 1;
