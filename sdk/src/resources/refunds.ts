import type { CreateRefundBody, ListRefundsQuery, Refund } from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Money on its way back to customers (contract, sections 1 and 6.1). */
export class Refunds extends Resource {
  /**
   * Gives a debited payment back, whole or in part; the fee is not returned. The answer is PENDING; how it ends comes by the
   * events `refund.succeeded` and `refund.failed`.
   *
   * @param body `amount` in centavos; without it, all that is left of the payment.
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` when the payment was not debited, or something of it
   * was returned that whoever runs the gateway has yet to explain; `REFUND_EXCEEDS_PAYMENT`; `VALIDATION_ERROR`;
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
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for a filter or cursor that is wrong.
   */
  list(query: ListRefundsQuery = {}, options?: CallOptions): List<Refund> {
    return this.transport.list('listRefunds', query, options);
  }
}
