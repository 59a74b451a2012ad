import type { FailureCode } from '../../server/src/integrations/operators/operator.ts';
import {
  behaviourOf,
  payeeBehaviourOf,
} from '../../server/src/integrations/operators/simulator/behaviour.ts';
import type { Transaction } from './records.ts';
import type { PaymentType } from './requests.ts';

export interface OutcomeError {
  category: string;
  code: string;
}

const rejected: OutcomeError = { category: 'businessRule', code: 'genericError' };

/**
 * The standard's reasons for a failed debit or disbursement; the standard has no code for an unreachable phone or a
 * silent payer.
 */
const errors: Partial<Record<FailureCode, OutcomeError>> = {
  PAYER_LIMIT_REACHED: { category: 'businessRule', code: 'dailyValueLimitExceeded' },
  PAYER_NOT_FOUND: { category: 'identification', code: 'identifierError' },
  PAYER_DECLINED: { category: 'authorisation', code: 'requestDeclined' },
  PAYER_AUTH_FAILED: { category: 'authorisation', code: 'requestingPartyAuthorisationError' },
  INSUFFICIENT_FUNDS: { category: 'businessRule', code: 'insufficientFunds' },
  PAYEE_LIMIT_REACHED: { category: 'businessRule', code: 'dailyValueLimitExceeded' },
  PAYEE_NOT_FOUND: { category: 'identification', code: 'identifierError' },
  PAYEE_NOT_ALLOWED: { category: 'businessRule', code: 'idDocumentNotSupported' },
  OPERATOR_ERROR: { category: 'internal', code: 'genericError' },
  OPERATOR_UNAVAILABLE: { category: 'serviceUnavailable', code: 'genericError' },
};

/**
 * The outcome of a transaction: undefined for a success. @param isConfirmed a caller plays the
 * payer; otherwise a payer who waits for that has not answered in time
 */
export function outcomeOf(
  transaction: Transaction,
  isConfirmed: boolean,
): OutcomeError | undefined {
  const { kind, payer } = transaction;
  if (kind === 'disbursement') return outcomeOfDisbursement(transaction);
  const { outcome, failureCode, refundFailureCode } = behaviourOf(payer);
  const isSilent = outcome === 'NEVER' || outcome === 'CONFIRM';
  if (kind === 'merchantpay' && isSilent && !isConfirmed) return rejected;
  if (kind === 'merchantpay') return failureCode && (errors[failureCode] ?? rejected);
  return refundFailureCode && { category: 'businessRule', code: 'incorrectState' };
}

function outcomeOfDisbursement({ payer, status }: Transaction): OutcomeError | undefined {
  const { failureCode } = payeeBehaviourOf(payer);
  // A failure is reported once: what comes due after it is the late success.
  return failureCode && status !== 'failed' ? (errors[failureCode] ?? rejected) : undefined;
}

/** A disbursement that is carried out although it was reported as failed. */
export const succeedsLate = ({ kind, payer }: Pick<Transaction, 'kind' | 'payer'>) =>
  kind === 'disbursement' && payeeBehaviourOf(payer).outcome === 'LATE';

/** A request that is carried out, and never answered. */
export const isAnswerLost = ({ kind, payer }: Pick<Transaction, 'kind' | 'payer'>) =>
  kind === 'disbursement' && payeeBehaviourOf(payer).outcome === 'LOST';

export interface Times {
  promptMs: number;
  confirmMs: number;
  lateConfirmMs: number;
  /** When an unconfirmed request fails. */
  expiryMs: number;
}

/** How long the outcome takes, unless a caller plays the payer earlier. Nobody confirms a disbursement. */
export function confirmationMs(type: PaymentType, payer: string, times: Times): number {
  if (type === 'disbursement') return times.promptMs;
  const { outcome } = behaviourOf(payer);
  if (outcome === 'NEVER' || outcome === 'CONFIRM') return times.expiryMs;
  return outcome === 'LATE' ? times.lateConfirmMs : times.confirmMs;
}

/** A late payer ignores the confirmation by a caller. */
export const canBeConfirmed = ({ kind, status, payer }: Transaction) =>
  kind === 'merchantpay' && status === 'pending' && behaviourOf(payer).outcome !== 'LATE';

/** How many callbacks an honest operator sends about the outcome. */
export function callbacksOf({ kind, payer }: Transaction): number {
  if (kind === 'disbursement') return payeeBehaviourOf(payer).callbacks;
  return kind === 'merchantpay' ? behaviourOf(payer).callbacks : 1;
}
