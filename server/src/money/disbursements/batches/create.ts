import { type Author, writeAuditRecord } from '../../../platform/audit/record.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
  keysOf,
  requireSame,
} from '../../../platform/idempotency/idempotency.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { retryOnce } from '../../../platform/postgres/transient-errors.ts';
import { requireSmallDisbursement } from '../../../platform/values/four-eyes.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { refuseBesideOlderProcesses } from '../../../tenants/merchants/older-processes.ts';
import {
  type CreateDisbursementInput,
  type NewDisbursement,
  type PrepareDependencies,
  prepareDisbursement,
  requireAllowed,
} from '../prepare.ts';
import type { BatchItem, BatchTotal, DisbursementBatch } from './batch.ts';
import { checkRows } from './check-rows.ts';
import { findBatch, findBatchByKeys, findSameRows, insertBatch } from './store.ts';
import { batchRendering } from './view.ts';

type OfBatch = 'tenantId' | 'mode' | 'apiKey' | 'personId' | 'terms';

/** A row of a request for a batch. */
export type BatchRow = Omit<CreateDisbursementInput, OfBatch>;

/** A request for a batch. */
export interface CreateBatchInput extends Pick<CreateDisbursementInput, OfBatch> {
  rows: readonly BatchRow[];
  externalId: string | null;
  description: string | null;
  /** A UUID. */
  retryOf: string | null;
  /** A second person has approved it. */
  isApproved?: boolean;
  /** A person, named in the audit log. */
  author?: Author;
  idempotency: IdempotentRequest;
}

export interface CreatedBatch {
  batch: DisbursementBatch;
  replayed: boolean;
}

/**
 * Creates a batch once all of its rows are checked; a worker creates their disbursements. Nothing is taken from the
 * balance here.
 * @throws VALIDATION_ERROR with all problems of the rows
 * @throws FORBIDDEN disbursements are switched off, the merchant is suspended or may not disburse, or an amount is
 * above its limit
 * @throws FORBIDDEN (ApprovalNeeded) the sum needs a second person's approval
 * @throws KEY_LIMIT_EXCEEDED an amount is above the limit of the API key
 * @throws NOT_FOUND the batch that it tries again
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 * @throws UNAVAILABLE a process that does not know disbursements is running
 */
export type CreateBatch = (input: CreateBatchInput, guard?: Guard) => Promise<CreatedBatch>;

/** Checks in the transaction that writes a batch, after others that were first. */
export type Guard = (transaction: Queryable) => Promise<void>;

export interface CreateBatchDependencies extends PrepareDependencies {
  database: Database;
  /** Learns of a batch that is due. */
  batchWorker: { wake(atMs: number): void };
}

export function makeCreateBatch(dependencies: CreateBatchDependencies): CreateBatch {
  const { database, requestHashes, batchWorker } = dependencies;
  const earlierOf = async ({ tenantId, idempotency }: CreateBatchInput) => {
    const keys = keysOf(requestHashes, idempotency);
    const batch = await findBatchByKeys(database, tenantId, keys);
    if (!batch) return undefined;
    requireSame(requestHashes, batch, idempotency);
    return { batch, replayed: true };
  };
  return async (input, guard) => {
    // A request that was once accepted keeps its answer, even if it would be refused by now.
    const earlier = await earlierOf(input);
    if (earlier) return earlier;
    const prepared = await prepareBatch(dependencies, input);
    await refuseBesideOlderProcesses(database);
    // If the connection breaks, the second try finds a batch that the first committed.
    const batch = await retryOnce(() =>
      database.transaction(async (transaction) => {
        await guard?.(transaction);
        const { digests, items } = prepared;
        // A guarded batch pays only what has definitely failed in the batch that it tries again.
        const retried = guard ? input.retryOf : null;
        const duplicateOf = await findSameRows(transaction, { ...input, digests, retried });
        const batch = { ...prepared.batch, duplicateOf };
        if (!(await insertBatch(transaction, batch, items))) return undefined;
        if (input.author) await record(transaction, dependencies, batch, input.author);
        return batch;
      }),
    ).catch(async (error: unknown) => {
      // The guard refuses what the same request has done just before.
      if (!(await earlierOf(input))) throw error;
    });
    if (!batch) return (await earlierOf(input))!;
    batchWorker.wake(batch.createdAtMs);
    return { batch, replayed: false };
  };
}

/** What a batch would take, before it is created. */
export interface BatchPreview {
  totals: BatchTotal[];
  /** An earlier batch with the same rows. */
  duplicateOf: string | null;
}

/** Checks the rows as their creation would, and writes nothing. @throws as the creation does */
export type PreviewBatch = (
  input: Omit<CreateBatchInput, 'idempotency' | 'retryOf' | 'isApproved' | 'author'>,
) => Promise<BatchPreview>;

export function makePreviewBatch(dependencies: CreateBatchDependencies): PreviewBatch {
  return async (given) => {
    const idempotency = idempotentRequest('preview', {}, () => ({}))!;
    const input = { ...given, idempotency, retryOf: null, isApproved: true };
    const { batch, digests } = await prepareBatch(dependencies, input);
    const asked = { ...given, digests, retried: null };
    const duplicateOf = await findSameRows(dependencies.database, asked);
    return { totals: JSON.parse(batch.totals) as BatchTotal[], duplicateOf };
  };
}

function record(
  transaction: Queryable,
  dependencies: CreateBatchDependencies,
  { tenantId, id, itemCount, totals, retryOf }: DisbursementBatch,
  author: Author,
): Promise<void> {
  const subject = formatId('dib', id);
  const detail = {
    itemCount,
    totals: JSON.parse(totals) as BatchTotal[],
    retryOf: retryOf && formatId('dib', retryOf),
  };
  return writeAuditRecord(
    transaction,
    { ...dependencies, ...author },
    { tenantId, action: 'disbursement_batch.created', subject, detail },
  );
}

async function prepareBatch(dependencies: CreateBatchDependencies, input: CreateBatchInput) {
  const { clock, ids, database, requestHashes } = dependencies;
  const { tenantId, idempotency, retryOf } = input;
  requireAllowed(dependencies.disbursementSettings, input.mode, input.terms);
  const nowMs = clock.nowMs();
  const id = ids.next(nowMs);
  const named = { id, idempotencyKey: idempotency.key };
  const rows = await checkRows(input.rows, (row, index) =>
    prepareDisbursement(dependencies, { ...input, ...row }, { batch: named, row: index }),
  );
  const totals = totalsOf(rows);
  if (!input.isApproved) {
    const { approvalAbove } = dependencies.disbursementSettings;
    requireSmallDisbursement(approvalAbove, sumsOf(totals), 'batch');
  }
  if (retryOf !== null && !(await findBatch(database, tenantId, retryOf)))
    throw new DomainError('NOT_FOUND', 'No such disbursement batch.', 'retryOf');
  const items = rows.map(itemOf);
  const meaning = digestible(items);
  const batch: Omit<DisbursementBatch, 'duplicateOf'> = {
    tenantId,
    id,
    version: 1,
    status: 'CREATED',
    externalId: input.externalId,
    description: input.description,
    itemCount: items.length,
    writtenCount: 0,
    itemsDigest: requestHashes.of(meaning),
    totals: JSON.stringify(totals),
    retryOf,
    idempotencyKey: idempotency.key,
    requestHash: requestHashes.of(idempotency),
    createdByKey: input.apiKey?.id ?? null,
    createdByPerson: input.personId ?? null,
    rendering: batchRendering,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    completedAtMs: null,
  };
  return { batch, items, digests: requestHashes.allOf(meaning) };
}

function itemOf({ disbursement }: NewDisbursement): BatchItem {
  const { amountMinor, feeMinor, currency, operator, operatorPhone } = disbursement;
  return {
    reference: disbursement.reference,
    amount: amountMinor.toString(),
    feeAmount: feeMinor.toString(),
    currency,
    operator,
    operatorPhone: operatorPhone!,
    externalId: disbursement.externalId,
    customerId: disbursement.customerId,
    description: disbursement.description,
    statementDescriptor: disbursement.statementDescriptor,
    metadata: disbursement.metadata,
  };
}

/** What the rows ask for, so that the same file is recognized. */
function digestible(items: readonly BatchItem[]): IdempotentRequest {
  const rows = items.map(({ reference: _name, feeAmount: _fee, ...asked }) => asked);
  return idempotentRequest('', rows, () => ({ rows }))!;
}

function totalsOf(rows: readonly NewDisbursement[]): BatchTotal[] {
  const byCurrency = Map.groupBy(rows, ({ disbursement }) => disbursement.currency);
  return [...byCurrency].map(([currency, own]) => ({
    currency,
    amount: sum(own, 'amountMinor').toString(),
    feeAmount: sum(own, 'feeMinor').toString(),
  }));
}

const sum = (rows: readonly NewDisbursement[], field: 'amountMinor' | 'feeMinor') =>
  rows.reduce((total, { disbursement }) => total + disbursement[field], 0n);

const sumsOf = (totals: readonly BatchTotal[]): { currency: Currency; amountMinor: bigint }[] =>
  totals.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) }));
