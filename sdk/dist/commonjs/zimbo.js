"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.transportOf = exports.Zimbo = void 0;
const balance_ts_1 = require("./resources/balance.js");
const checkout_ts_1 = require("./resources/checkout.js");
const events_ts_1 = require("./resources/events.js");
const operators_ts_1 = require("./resources/operators.js");
const payment_links_ts_1 = require("./resources/payment-links.js");
const payments_ts_1 = require("./resources/payments.js");
const products_ts_1 = require("./resources/products.js");
const refunds_ts_1 = require("./resources/refunds.js");
const settlements_ts_1 = require("./resources/settlements.js");
const webhooks_ts_1 = require("./resources/webhooks.js");
const transport_ts_1 = require("./transport.js");
/**
 * A client of a Zimbo gateway. Amounts are as in the API: integers in centavos in requests, text in whole centavos in answers (contract, section 2), which `BigInt` reads. Each call may throw a {@link ZimboError}.
 *
 * The client retries with growing pauses after 429, following Retry-After. It also retries after a 5xx, a lost connection or a timeout if the call cannot take effect twice: reads, and calls with an idempotency key (all but updates and deletions).
 */
class Zimbo {
    payments;
    refunds;
    checkout;
    paymentLinks;
    products;
    settlements;
    balance;
    webhooks;
    events;
    operators;
    /**
     * @param apiKey `sk_test_…` or `sk_live_…`: it selects the merchant and the mode (contract, section 5). Keep it on your servers.
     * @throws {TypeError} if the key or `baseUrl` is malformed.
     */
    constructor(apiKey, options) {
        const transport = (0, exports.transportOf)(apiKey, options);
        this.payments = new payments_ts_1.Payments(transport);
        this.refunds = new refunds_ts_1.Refunds(transport);
        this.checkout = new checkout_ts_1.Checkout(transport);
        this.paymentLinks = new payment_links_ts_1.PaymentLinks(transport);
        this.products = new products_ts_1.Products(transport);
        this.settlements = new settlements_ts_1.Settlements(transport);
        this.balance = new balance_ts_1.Balances(transport);
        this.webhooks = new webhooks_ts_1.WebhookEndpoints(transport);
        this.events = new events_ts_1.Events(transport);
        this.operators = new operators_ts_1.Operators(transport);
    }
}
exports.Zimbo = Zimbo;
/** Sends the operations of the API by their names, for programs that know them from its document. */
const transportOf = (apiKey, options) => new transport_ts_1.Transport({
    apiKey: checkedKey(apiKey),
    baseUrl: checkedUrl(options?.baseUrl),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 3,
    // Some platforms reject a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onAnswer: options.onAnswer,
    random: Math.random,
    newIdempotencyKey: () => crypto.randomUUID(),
    wait,
});
exports.transportOf = transportOf;
/** The message does not show the value, which may be most of a key. */
function checkedKey(apiKey) {
    if (typeof apiKey === 'string' && /^sk_(live|test)_\w+$/.test(apiKey))
        return apiKey;
    throw new TypeError('The API key must begin with sk_test_ or sk_live_: is it set?');
}
function checkedUrl(baseUrl) {
    const given = String(baseUrl);
    if (!URL.canParse(given) || !/^https?:/i.test(given)) {
        throw new TypeError(`baseUrl must be the URL of your gateway, not ${given}`);
    }
    if (/[?#]/.test(given))
        throw new TypeError(`baseUrl must end before ? and #, unlike ${given}`);
    const plain = given.replace(/\/+$/, '');
    if (plain.endsWith('/v1'))
        throw new TypeError(`baseUrl must end before /v1, unlike ${given}`);
    return plain;
}
async function wait(gapMs, signal) {
    signal?.throwIfAborted();
    await new Promise((resolve, reject) => {
        const giveUp = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', giveUp);
            resolve();
        }, gapMs);
        signal?.addEventListener('abort', giveUp, { once: true });
    });
}
