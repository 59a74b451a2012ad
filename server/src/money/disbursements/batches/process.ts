import type { DeliveryDispatcher } from '../../../integrations/events/dispatch.ts';
import { DomainError, forbidden } from '../../../platform/errors/errors.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { refuseBesideOlderProcesses } from '../../../tenants/merchants/older-processes.ts';
import { createDisbursements, type Made, mostTogether } from '../create-many.ts';
import type { Disbursement } from '../disbursement.ts';
import {
  type DueDisbursement,
  type NewDisbursement,
  type PrepareDependencies,
  prepareRow,
  requireAllowed,
} from '../prepare.ts';
import { type Author, findAuthor } from './author.ts';
import type { BatchItem, DisbursementBatch } from './batch.ts';
import { completeIfEnded } from './complete.ts';
import { advanceBatch, type DueBatch, dropRest, findItems, rescheduleBatch } from './store.ts';

export interface ProcessBatchDependencies extends PrepareDependencies {
  database: Database;
  dispatcher: DeliveryDispatcher;
  /** Processes disbursements in memory as they are written. */
  worker: PrepareDependencies['worker'] & { accept(disbursement: DueDisbursement): void };
  onDisbursement(disbursement: Disbursement): void;
  /** How long a process holds a batch without writing. */
  batchLeaseMs: number;
  /** Wakes the worker of batches. */
  wake: (atMs: number) => void;
}

/** How long a batch waits before it is looked at again if its merchant or key may not disburse now. */
const refusedWaitMs = 900_000;

/** Writes the rows of a batch, and completes it once each has ended. */
export async function processBatch(
  dependencies: ProcessBatchDependencies,
  batch: DueBatch,
  isStopping: () => boolean,
): Promise<void> {
  const written =
    batch.status === 'CREATED' ? await writeRows(dependencies, batch, isStopping) : batch;
  if (written?.status === 'PROCESSING') await completeIfEnded(dependencies, written);
}

/** The batch as it is after its last row; undefined if another process has it, or it must wait. */
async function writeRows(
  dependencies: ProcessBatchDependencies,
  batch: DueBatch,
  isStopping: () => boolean,
): Promise<DisbursementBatch | undefined> {
  const { database, clock } = dependencies;
  const found = await findItems(database, batch.tenantId, batch.id);
  if (typeof found?.items !== 'string') return undefined;
  const items = JSON.parse(found.items) as BatchItem[];
  let current: DisbursementBatch | undefined = batch;
  while (current?.status === 'CREATED') {
    const nowMs = clock.nowMs();
    if (isStopping()) {
      await rescheduleBatch(database, current, nowMs);
      return undefined;
    }
    if (nowMs >= expiryOf(dependencies, batch)) {
      const { tenantId, id } = batch;
      return dropRest(database, { tenantId, id, nowMs });
    }
    const author = await findAuthor(database, batch);
    const refusal = await refusalOf(dependencies, batch, author);
    if (refusal) {
      await wait(dependencies, current, refusal);
      return undefined;
    }
    current = await writeChunk(dependencies, { ...batch, ...current }, author, items);
  }
  return current;
}

/** A row that could not be written until then is never paid. */
const expiryOf = (
  { disbursementSettings }: ProcessBatchDependencies,
  { createdAtMs }: DisbursementBatch,
): number => createdAtMs + disbursementSettings.expiryMs;

/** Why no row may be written now: switched off, suspended, revoked, or an older process is running. */
async function refusalOf(
  { database, disbursementSettings }: ProcessBatchDependencies,
  { mode }: DueBatch,
  { terms, isRevoked }: Author,
): Promise<DomainError | undefined> {
  try {
    requireAllowed(disbursementSettings, mode, terms);
    await refuseBesideOlderProcesses(database);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  return isRevoked ? forbidden('The API key of this batch may not disburse any more.') : undefined;
}

/** Waits until it may be allowed again; an upgrade takes seconds, a decision of staff longer. */
async function wait(
  dependencies: ProcessBatchDependencies,
  batch: DisbursementBatch,
  { code }: DomainError,
): Promise<void> {
  const { database, clock, wake } = dependencies;
  const waitMs = code === 'UNAVAILABLE' ? 10_000 : refusedWaitMs;
  const dueAtMs = Math.min(clock.nowMs() + waitMs, expiryOf(dependencies, batch));
  await rescheduleBatch(database, batch, dueAtMs);
  wake(dueAtMs);
}

/** Writes the next rows, and notes it in the same transaction; undefined if the batch has changed meanwhile. */
async function writeChunk(
  dependencies: ProcessBatchDependencies,
  batch: DueBatch,
  author: Author,
  items: readonly BatchItem[],
): Promise<DisbursementBatch | undefined> {
  const { database, clock, dispatcher, worker, batchLeaseMs } = dependencies;
  const from = batch.writtenCount;
  const chunk = items.slice(from, from + mostTogether);
  const rows: NewDisbursement[] = [];
  for (const [index, item] of chunk.entries())
    rows.push(await prepareItem(dependencies, batch, author, { item, row: from + index }));
  const nowMs = clock.nowMs();
  const change = { writtenCount: from + chunk.length, dueAtMs: nowMs + batchLeaseMs, nowMs };
  const done = await database.transaction(async (transaction) => {
    const advanced = await advanceBatch(transaction, batch, change);
    if (!advanced) return undefined;
    const made = await createDisbursements(transaction, dependencies, rows, 'fail');
    return { advanced, made };
  });
  if (!done) return undefined;
  const { subscriptions, events, dueAtMs } = done.made;
  dispatcher.accept(subscriptions, events, dueAtMs);
  for (const disbursement of madeOf(done.made)) {
    dependencies.onDisbursement(disbursement);
    if (disbursement.status === 'CREATED') worker.accept(disbursement);
  }
  return done.advanced;
}

const madeOf = ({ outcomes }: Made): DueDisbursement[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'made' ? [outcome.disbursement] : []));

/** The row as it was accepted: with the name and the fee of then, and paid as long as the batch may be. */
async function prepareItem(
  dependencies: ProcessBatchDependencies,
  batch: DueBatch,
  { terms, apiKey }: Author,
  { item, row }: { item: BatchItem; row: number },
): Promise<NewDisbursement> {
  const { reference, amount, feeAmount, ...rest } = item;
  const { tenantId, mode, createdByPerson: personId } = batch;
  const input = { tenantId, mode, terms, apiKey, personId, ...rest, amountMinor: BigInt(amount) };
  const prepared = await prepareRow(dependencies, input, { batch, row });
  const expiresAtMs = expiryOf(dependencies, batch);
  const kept = { reference, feeMinor: BigInt(feeAmount), expiresAtMs };
  return { ...prepared, disbursement: { ...prepared.disbursement, ...kept } };
}
