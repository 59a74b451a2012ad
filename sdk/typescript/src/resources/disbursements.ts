import type { CreateDisbursementBody, Disbursement, ListDisbursementsQuery } from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Money sent from the balance to wallets. */
export class Disbursements extends Resource {
  /**
   * Sends money to a wallet: amount and fee leave the balance at once. The disbursement is CREATED; the outcome follows in the events `disbursement.succeeded` and `disbursement.failed`.
   *
   * @param body `amount` in centavos, 1 to 100000000; `operatorPhone` international, as +2389912345.
   * @param options Give each disbursement an `idempotencyKey` of your own: the one that is made up without it does not survive a crash of your program, and a request sent again under another key sends the money again.
   * @throws {ZimboError} `INSUFFICIENT_BALANCE`; `FORBIDDEN` if disbursements are not allowed, or a limit of the merchant is reached; `KEY_LIMIT_EXCEEDED`; `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
   */
  create(body: CreateDisbursementBody, options?: CreateOptions): Promise<Disbursement> {
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
