import type { CheckoutSession, CreateCheckoutSessionBody, ListCheckoutSessionsQuery } from '../generated.js';
import type { List } from '../list.js';
import type { CallOptions, CreateOptions, Transport } from '../transport.js';
import { Resource } from './resource.js';
export declare class Checkout {
    readonly sessions: CheckoutSessions;
    constructor(transport: Transport);
}
/** Payment links with a hosted page (contract, sections 2.3, 2.4 and 4.1). */
export declare class CheckoutSessions extends Resource {
    /**
     * Opens a session: send the customer to its `url`. The customer's return to `completionUrl` does
     * not prove payment; the event `checkout.completed` does.
     * @param body Either `amount` or `items`, in centavos: 1 to 100000000, for an item its
     * `unitPrice`.
     * @throws {ZimboError} `VALIDATION_ERROR`; `NOT_FOUND` for an unknown product;
     * `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body: CreateCheckoutSessionBody, options?: CreateOptions): Promise<CheckoutSession>;
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id: string, options?: CallOptions): Promise<CheckoutSession>;
    /**
     * Sessions, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
     */
    list(query?: ListCheckoutSessionsQuery, options?: CallOptions): List<CheckoutSession>;
    /**
     * Ends an open session early.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` unless OPEN, or while the customer is paying.
     */
    expire(id: string, options?: CreateOptions): Promise<CheckoutSession>;
}
