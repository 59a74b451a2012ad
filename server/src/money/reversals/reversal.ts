import type { FailureCode, OperatorName } from '../../integrations/operators/operator.ts';
import type { Transitions } from '../../platform/values/transitions.ts';
import type { ReversalReason } from '../payments/wrong-debit.ts';

/** HELD: in suspense until a person decides. */
export const reversalStatuses = ['HELD', 'PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED'] as const;
export type ReversalStatus = (typeof reversalStatuses)[number];

/** The allowed transitions of a reversal (docs/payment-states.md). The operator may succeed after it has refused. */
export const reversalTransitions: Transitions<ReversalStatus> = {
  HELD: ['PENDING', 'SUCCEEDED', 'FAILED'],
  PENDING: ['HELD', 'PROCESSING', 'SUCCEEDED', 'FAILED'],
  PROCESSING: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: ['SUCCEEDED'],
};

/** A debit on its way back to the customer; its id is the reference at the operator. */
export interface Reversal {
  tenantId: string;
  id: string;
  paymentId: string;
  reason: ReversalReason;
  status: ReversalStatus;
  amountMinor: bigint;
  currency: string;
  operator: OperatorName;
  operatorTxId: string;
  /** The operator's own id of the reversal, once it has succeeded. */
  operatorReversalId: string | null;
  failureCode: FailureCode | null;
  queryCount: number;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for it may have left; null if none can have. */
  sentAtMs: number | null;
  /** A person recorded the outcome; the operator's first different answer also goes to a person. */
  byHand: boolean;
  createdAtMs: number;
}
