import type { CreateRefundBody, ListRefundsQuery, Refund } from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Returns of money to customers (contract, sections 1 and 6.1). */
export class Refunds extends Resource {
  /**
   * Refunds a debited payment, in full or in part; the fee is not returned. The refund is PENDING; the outcome follows in the events `refund.succeeded` and `refund.failed`.
   *
   * @param body `amount` in centavos; by default the rest of the payment.
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if the payment was not debited, or if part of it was returned in a way that the gateway's staff have yet to explain; `REFUND_EXCEEDS_PAYMENT`; `VALIDATION_ERROR`;
   * `IDEMPOTENCY_KEY_REUSED`.
   */
  create(body: CreateRefundBody, options?: CreateOptions): Promise<Refund> {
    return this.transport.call('createRefund', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<Refund> {
    return this.transport.call('getRefund', { path: { id } }, options);
  }

  /**
   * Refunds, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListRefundsQuery = {}, options?: CallOptions): List<Refund> {
    return this.transport.list('listRefunds', query, options);
  }
}
