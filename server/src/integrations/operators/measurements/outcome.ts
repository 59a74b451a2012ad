import { failureMessages, type Progress } from '../operator.ts';

/**
 * The result of a call. ANSWERED: the operator gave a usable answer. REFUSED: it said no, definitely. UNKNOWN: no
 * usable answer came, so its effect is unknown. NOT_SENT: the operator certainly did not receive the call.
 */
export type CallOutcome = 'ANSWERED' | 'REFUSED' | 'UNKNOWN' | 'NOT_SENT';

const ofProgress: Record<Progress, CallOutcome> = {
  PENDING: 'ANSWERED',
  PROMPTED: 'ANSWERED',
  NOT_FOUND: 'ANSWERED',
  UNREACHABLE: 'UNKNOWN',
  NOT_SENT: 'NOT_SENT',
  MISMATCH: 'ANSWERED',
};

/** @param answer as `measuredOperator` reports it */
export function outcomeOf(answer: string): CallOutcome {
  if (answer === 'succeeded') return 'ANSWERED';
  if (Object.hasOwn(failureMessages, answer)) return 'REFUSED';
  // Everything else was thrown: the request may have left.
  return Object.hasOwn(ofProgress, answer) ? ofProgress[answer as Progress] : 'UNKNOWN';
}
