"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.CheckoutSessions = exports.Checkout = void 0;
const resource_ts_1 = require("./resource.js");
class Checkout {
    sessions;
    constructor(transport) {
        this.sessions = new CheckoutSessions(transport);
    }
}
exports.Checkout = Checkout;
/** Payment links with a hosted page (contract, sections 2.3, 2.4 and 4.1). */
class CheckoutSessions extends resource_ts_1.Resource {
    /**
     * Opens a session: send the customer to its `url`. The customer's return to `completionUrl` does
     * not prove payment; the event `checkout.completed` does.
     * @param body Either `amount` or `items`, in centavos: 1 to 100000000, for an item its
     * `unitPrice`.
     * @throws {ZimboError} `VALIDATION_ERROR`; `NOT_FOUND` for an unknown product;
     * `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body, options) {
        return this.transport.call('createCheckoutSession', { body }, options);
    }
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id, options) {
        return this.transport.call('getCheckoutSession', { path: { id } }, options);
    }
    /**
     * Sessions, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
     */
    list(query = {}, options) {
        return this.transport.list('listCheckoutSessions', query, options);
    }
    /**
     * Ends an open session early.
     *
     * @throws {ZimboError} `NOT_FOUND`; `INVALID_STATE` unless OPEN, or while the customer is paying.
     */
    expire(id, options) {
        return this.transport.call('expireCheckoutSession', { path: { id } }, options);
    }
}
exports.CheckoutSessions = CheckoutSessions;
