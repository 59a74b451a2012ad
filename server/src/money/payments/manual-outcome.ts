import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import { isClosedWithoutDebit, isOpen, type Payment } from './payment.ts';

/** Whether the operator is still queried about the outcome, so that a person may record it. */
export function isWatched({ status, sentAtMs, dueAtMs }: Payment): boolean {
  const mayBeDebited = isOpen(status) || isClosedWithoutDebit(status);
  return mayBeDebited && sentAtMs !== null && dueAtMs !== null;
}

/** The outcome that the operator told a person. An amount is in minor units. */
export type Finding = { operatorTxId: string; amountMinor: bigint } | 'not debited';

/** An outcome that a person found out counts as the operator's answer. */
export function answerOfFinding(finding: Finding): OperatorAnswer {
  if (finding !== 'not debited') {
    const { operatorTxId, amountMinor } = finding;
    return { kind: 'succeeded', operatorTxId, amountMinor };
  }
  // Nobody confirmed it in time, for any reason.
  return { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
}
