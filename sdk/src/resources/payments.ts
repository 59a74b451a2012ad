import type { CreatePaymentBody, ListPaymentsQuery, Payment } from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions, CreateOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Debits from customers' mobile money (contract, sections 2.6, 3.1, 4.3 and 4.5). */
export class Payments extends Resource {
  /**
   * Asks the customer's operator for a debit. The answer is CREATED at once; whether the customer paid comes later, by the events
   * `payment.debited`, `payment.failed` and `payment.expired`. That a customer cannot pay is no error: the payment becomes FAILED.
   *
   * @param body `amount` in centavos, 1 to 100000000; `operatorPhone` international, as +2389912345.
   * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED` when the key was used with another body.
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
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for a filter or cursor that is wrong.
   */
  list(query: ListPaymentsQuery = {}, options?: CallOptions): List<Payment> {
    return this.transport.list('listPayments', query, options);
  }

  /**
   * Cancels a payment that is not debited yet (contract, section 4.3). A debit that comes to light later is given back.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` when it was debited or has ended.
   */
  cancel(id: string, options?: CreateOptions): Promise<Payment> {
    return this.transport.call('cancelPayment', { path: { id } }, options);
  }

  /**
   * Does what the customer does by entering the PIN. Only with a test key.
   *
   * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` unless USER_CONFIRMING; `FORBIDDEN` with a live key.
   */
  confirm(id: string, options?: CreateOptions): Promise<Payment> {
    return this.transport.call('confirmPayment', { path: { id } }, options);
  }
}
