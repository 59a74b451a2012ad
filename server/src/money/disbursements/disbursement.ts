import type {
  DisbursementFailureCode,
  OperatorName,
} from '../../integrations/operators/operator.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { Transitions } from '../../platform/values/transitions.ts';

export const disbursementStatuses = [
  'CREATED',
  'PROCESSING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
] as const;
export type DisbursementStatus = (typeof disbursementStatuses)[number];

/** Money of a merchant's balance on its way to a wallet. */
export interface Disbursement {
  tenantId: string;
  id: string;
  batchId: string | null;
  /** In its batch, from 0. */
  batchRow: number | null;
  /**
   * Its name at the operator, derived from tenant, route, idempotency key and row, so that a request that is repeated
   * after a restore is paid once.
   */
  reference: string;
  /** Counts transitions; every transition is a compare-and-set on it. */
  version: number;
  status: DisbursementStatus;
  amountMinor: bigint;
  /** What the merchant pays beside the amount; frozen at creation. */
  feeMinor: bigint;
  currency: Currency;
  operator: OperatorName;
  /** International, digits after a plus; null once it is erased. */
  operatorPhone: string | null;
  /** The operator's transaction; on a FAILED disbursement, the sign that it succeeded after all. */
  operatorTxId: string | null;
  failureCode: DisbursementFailureCode | null;
  failureMessage: string | null;
  externalId: string | null;
  customerId: string | null;
  description: string | null;
  statementDescriptor: string | null;
  /** JSON text, kept as text because jsonb would reorder its keys. */
  metadata: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The API key, or the person, that created it. */
  createdByKey: string | null;
  createdByPerson: string | null;
  /** The version of the fields in the answer to its creation. */
  rendering: number;
  /** How often the operator was queried about the outcome. */
  queryCount: number;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for it may have left; null if none can have. */
  sentAtMs: number | null;
  /** A person recorded the outcome; the operator's first different answer also goes to a person. */
  byHand: boolean;
  /** Until when it may be sent for the first time. */
  expiresAtMs: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/**
 * The allowed transitions of a disbursement (docs/disbursements.md). CREATED means never sent. FAILED stays FAILED
 * when the disbursement turns out to have succeeded.
 */
export const disbursementTransitions: Transitions<DisbursementStatus> = {
  CREATED: ['PROCESSING', 'FAILED', 'CANCELLED'],
  // CANCELLED only while it is certain that no request has left.
  PROCESSING: ['SUCCEEDED', 'FAILED', 'CANCELLED'],
  SUCCEEDED: [],
  FAILED: ['FAILED'],
  CANCELLED: ['CANCELLED'],
};

/** Why an unsent disbursement may no longer be sent, as its `failureMessage` says it. */
export const obstacleMessages = {
  SUSPENDED: 'It was not sent in time, because the merchant is suspended.',
  MERCHANT: 'It was not sent in time, because the merchant may no longer disburse.',
  KEY: 'It was not sent in time, because the key that created it is revoked or may no longer disburse.',
  PERSON: 'It was not sent in time, because the person who created it may no longer disburse.',
} as const;
export type Obstacle = keyof typeof obstacleMessages;
