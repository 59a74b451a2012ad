import { Balances } from './resources/balance.js';
import { Checkout } from './resources/checkout.js';
import { Events } from './resources/events.js';
import { Operators } from './resources/operators.js';
import { PaymentLinks } from './resources/payment-links.js';
import { Payments } from './resources/payments.js';
import { Products } from './resources/products.js';
import { Refunds } from './resources/refunds.js';
import { Settlements } from './resources/settlements.js';
import { WebhookEndpoints } from './resources/webhooks.js';
import { type Answer, Transport } from './transport.js';
export interface ZimboOptions {
    /** The URL of your gateway, such as `https://pay.example.cv`. May include a path before `/v1`. */
    baseUrl: string;
    /** The timeout of one attempt, in milliseconds; by default 30000. */
    timeoutMs?: number | undefined;
    /** How many attempts may follow the first; by default 3, and none with 0. */
    maxRetries?: number | undefined;
    /** Replaces the global `fetch`, for proxies, tracing and tests. */
    fetch?: typeof fetch | undefined;
    /** Sees every answer with its headers, such as `x-request-id`, before the call returns: for logs and limits. */
    onAnswer?: ((answer: Answer) => void) | undefined;
}
/**
 * A client of a Zimbo gateway. Amounts are as in the API: integers in centavos in requests, text in whole centavos in answers (contract, section 2), which `BigInt` reads. Each call may throw a {@link ZimboError}.
 *
 * The client retries with growing pauses after 429, following Retry-After. It also retries after a 5xx, a lost connection or a timeout if the call cannot take effect twice: reads, and calls with an idempotency key (all but updates and deletions).
 */
export declare class Zimbo {
    readonly payments: Payments;
    readonly refunds: Refunds;
    readonly checkout: Checkout;
    readonly paymentLinks: PaymentLinks;
    readonly products: Products;
    readonly settlements: Settlements;
    readonly balance: Balances;
    readonly webhooks: WebhookEndpoints;
    readonly events: Events;
    readonly operators: Operators;
    /**
     * @param apiKey `sk_test_…` or `sk_live_…`: it selects the merchant and the mode (contract, section 5). Keep it on your servers.
     * @throws {TypeError} if the key or `baseUrl` is malformed.
     */
    constructor(apiKey: string, options: ZimboOptions);
}
/** Sends the operations of the API by their names, for programs that know them from its document. */
export declare const transportOf: (apiKey: string, options: ZimboOptions) => Transport;
