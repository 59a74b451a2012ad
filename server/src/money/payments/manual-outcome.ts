import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import { isClosedWithoutDebit, isOpen, type Payment } from './payment.ts';

/** Whether the operator is still queried about the outcome, so that a person may enter it. */
export function isWatched({ status, sentAtMs, dueAtMs }: Payment): boolean {
  const mayBeDebited = isOpen(status) || isClosedWithoutDebit(status);
  return mayBeDebited && sentAtMs !== null && dueAtMs !== null;
}

/** What the operator reported to a person. An amount is in minor units. */
export type Finding = { operatorTxId: string; amountMinor: bigint } | 'not debited';

/** What a person found out counts as word from the operator. */
export function answerOfFinding(finding: Finding): OperatorAnswer {
  if (finding !== 'not debited') {
    const { operatorTxId, amountMinor } = finding;
    return { kind: 'succeeded', operatorTxId, amountMinor };
  }
  // Nobody confirmed it in time, whatever the reason was.
  return { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
}
