import type {
  CreateDisbursementBatchBody,
  CreateDisbursementBody,
  Disbursement,
  DisbursementBatch,
  ListDisbursementBatchesQuery,
  ListDisbursementsOfBatchQuery,
  ListDisbursementsQuery,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions, KeyedOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Many disbursements that are requested together. */
export class DisbursementBatches extends Resource {
  /**
   * Sends money to up to 1,000 wallets. All rows are checked first, and nothing is sent if one is wrong. The disbursements are created in the background; follow them by their events, and by `disbursement_batch.completed`.
   *
   * @param options `idempotencyKey`, one for each batch: the same rows under another key pay again, and the answer only warns with `duplicateOf`.
   * @throws {ZimboError} `VALIDATION_ERROR`, with all problems in `details`; `FORBIDDEN`; `KEY_LIMIT_EXCEEDED`; `IDEMPOTENCY_KEY_REUSED`; `NOT_FOUND` for an unknown `retryOf`.
   */
  create(body: CreateDisbursementBatchBody, options: KeyedOptions): Promise<DisbursementBatch> {
    return this.transport.call('createDisbursementBatch', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<DisbursementBatch> {
    return this.transport.call('getDisbursementBatch', { path: { id } }, options);
  }

  /**
   * Batches, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListDisbursementBatchesQuery = {}, options?: CallOptions): List<DisbursementBatch> {
    return this.transport.list('listDisbursementBatches', query, options);
  }

  /**
   * The disbursements of a batch that are created, the last row first.
   *
   * @throws {ZimboError} when walked: `NOT_FOUND`; `VALIDATION_ERROR` for an invalid cursor.
   */
  disbursements(
    id: string,
    query: ListDisbursementsOfBatchQuery = {},
    options?: CallOptions,
  ): List<Disbursement> {
    return this.transport.list('listDisbursementsOfBatch', query, options, { id });
  }

  /**
   * Cancels each row that was not sent yet.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if there is no such row.
   */
  cancel(id: string, options?: CreateOptions): Promise<DisbursementBatch> {
    return this.transport.call('cancelDisbursementBatch', { path: { id } }, options);
  }

  /**
   * Makes a batch of the rows that have definitely failed.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` while rows are open, if none has failed, or if they were tried again before.
   */
  retry(id: string, options: KeyedOptions): Promise<DisbursementBatch> {
    return this.transport.call('retryDisbursementBatch', { path: { id } }, options);
  }
}

/** Money sent from the balance to wallets. */
export class Disbursements extends Resource {
  readonly batches = new DisbursementBatches(this.transport);

  /**
   * Sends money to a wallet: amount and fee leave the balance at once. The disbursement is CREATED; the outcome follows in the events `disbursement.succeeded` and `disbursement.failed`.
   *
   * @param body `amount` in centavos, 1 to 100000000; `operatorPhone` international, as +2389912345.
   * @param options `idempotencyKey`, one for each debt: the same request under another key pays again.
   * @throws {ZimboError} `INSUFFICIENT_BALANCE`; `FORBIDDEN` if disbursements are not allowed, or a limit of the merchant is reached; `KEY_LIMIT_EXCEEDED`; `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
   */
  create(body: CreateDisbursementBody, options: KeyedOptions): Promise<Disbursement> {
    return this.transport.call('createDisbursement', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<Disbursement> {
    return this.transport.call('getDisbursement', { path: { id } }, options);
  }

  /**
   * Disbursements, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListDisbursementsQuery = {}, options?: CallOptions): List<Disbursement> {
    return this.transport.list('listDisbursements', query, options);
  }

  /**
   * Cancels a disbursement that was not sent yet; amount and fee go back to the balance.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it was sent or has ended.
   */
  cancel(id: string, options?: CreateOptions): Promise<Disbursement> {
    return this.transport.call('cancelDisbursement', { path: { id } }, options);
  }
}
