import type {
  CreatePaymentLinkBody,
  ListPaymentLinksQuery,
  PaymentLink,
  UpdatePaymentLinkBody,
} from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Reusable payment links: each use creates a checkout session. */
export class PaymentLinks extends Resource {
  /**
   * @param body exactly one of `productId`, `amount`, and `minAmount` with `maxAmount`; amounts in centavos.
   * @throws {ZimboError} `VALIDATION_ERROR`; `NOT_FOUND`; `KEY_LIMIT_EXCEEDED`; `IDEMPOTENCY_KEY_REUSED`.
   */
  create(body: CreatePaymentLinkBody, options?: CreateOptions): Promise<PaymentLink> {
    return this.transport.call('createPaymentLink', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<PaymentLink> {
    return this.transport.call('getPaymentLink', { path: { id } }, options);
  }

  /**
   * Payment links, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListPaymentLinksQuery = {}, options?: CallOptions): List<PaymentLink> {
    return this.transport.list('listPaymentLinks', query, options);
  }

  /**
   * Changes the fields in the body. Existing sessions stay unchanged.
   *
   * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
   */
  update(id: string, body: UpdatePaymentLinkBody, options?: CallOptions): Promise<PaymentLink> {
    return this.transport.call('updatePaymentLink', { path: { id }, body }, options);
  }
}
