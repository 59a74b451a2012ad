import type { CreatePaymentBody, ListPaymentsQuery, Payment } from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Debits from customers' mobile money (contract, sections 2.6, 3.1, 4.3 and 4.5). */
export class Payments extends Resource {
  /**
   * Requests a debit from the customer's operator. The payment is CREATED at once; the outcome follows in the events
   * `payment.debited`, `payment.failed` and `payment.expired`. A customer who cannot pay causes no error: the payment becomes FAILED.
   *
   * @param body `amount` in centavos, 1 to 100000000; `operatorPhone` international, as +2389912345.
   * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED` if the key was used with another body.
   */
  create(body: CreatePaymentBody, options?: CreateOptions): Promise<Payment> {
    return this.transport.call('createPayment', { body }, options);
  }

  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<Payment> {
    return this.transport.call('getPayment', { path: { id } }, options);
  }

  /**
   * Payments, newest first.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
   */
  list(query: ListPaymentsQuery = {}, options?: CallOptions): List<Payment> {
    return this.transport.list('listPayments', query, options);
  }

  /**
   * Cancels a payment that is not debited yet (contract, section 4.3). A debit that appears later is returned.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` if it was debited or has ended.
   */
  cancel(id: string, options?: CreateOptions): Promise<Payment> {
    return this.transport.call('cancelPayment', { path: { id } }, options);
  }

  /**
   * Confirms as the customer does by entering the PIN. Only with a test key.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` unless USER_CONFIRMING; `FORBIDDEN` with a live key.
   */
  confirm(id: string, options?: CreateOptions): Promise<Payment> {
    return this.transport.call('confirmPayment', { path: { id } }, options);
  }
}
