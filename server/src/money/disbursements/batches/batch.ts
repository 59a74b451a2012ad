import type { OperatorName } from '../../../integrations/operators/operator.ts';
import type { Currency } from '../../../platform/values/money.ts';

/** CREATED: its rows are being written. PROCESSING: all are. COMPLETED: each has ended. */
export const batchStatuses = ['CREATED', 'PROCESSING', 'COMPLETED'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** How many rows one batch may have. */
export const mostRows = 1_000;

/** Many disbursements that were requested together. */
export interface DisbursementBatch {
  tenantId: string;
  id: string;
  /** Counts changes; every change is a compare-and-set on it. */
  version: number;
  status: BatchStatus;
  externalId: string | null;
  description: string | null;
  itemCount: number;
  /** How many of its rows are written, from the first on. */
  writtenCount: number;
  /** A keyed digest of the rows. */
  itemsDigest: Buffer;
  /** A list of {@link BatchTotal}, as JSON. */
  totals: string;
  /** The batch whose failed rows it tries again. */
  retryOf: string | null;
  /** An earlier batch with the same rows. */
  duplicateOf: string | null;
  idempotencyKey: string;
  requestHash: Buffer | null;
  /** The API key, or the person, that created it. */
  createdByKey: string | null;
  createdByPerson: string | null;
  /** The version of the fields in the answer to its creation. */
  rendering: number;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  createdAtMs: number;
  updatedAtMs: number;
  completedAtMs: number | null;
}

/** What a batch pays out in one currency, in minor units as text. */
export interface BatchTotal {
  currency: Currency;
  amount: string;
  feeAmount: string;
}

/** A row that is not written yet, in the JSON text of its batch. */
export interface BatchItem {
  /**
   * Its name at the operator, by which an erasure names it too: the idempotency key from which it is derived may be
   * sealed meanwhile.
   */
  reference: string;
  amount: string;
  feeAmount: string;
  currency: Currency;
  operator: OperatorName;
  /** In its stored form. */
  operatorPhone: string;
  externalId: string | null;
  customerId: string | null;
  description: string | null;
  statementDescriptor: string | null;
  /** JSON text. */
  metadata: string | null;
}

/** How many rows of a batch are in each status; a row that is not written yet counts as created. */
export interface RowCounts {
  created: number;
  processing: number;
  succeeded: number;
  failed: number;
  cancelled: number;
}

export type CountedBatch = DisbursementBatch & { counts: RowCounts };

/** Whether none of its rows can change any more. */
export const hasEnded = ({ created, processing }: RowCounts): boolean =>
  created === 0 && processing === 0;
