"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.PaymentLinks = void 0;
const resource_ts_1 = require("./resource.js");
/** Reusable payment links: each use creates a checkout session. */
class PaymentLinks extends resource_ts_1.Resource {
    /**
     * @param body exactly one of `productId`, `amount`, and `minAmount` with `maxAmount`; amounts in centavos.
     * @throws {ZimboError} `VALIDATION_ERROR`; `NOT_FOUND`; `KEY_LIMIT_EXCEEDED`; `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body, options) {
        return this.transport.call('createPaymentLink', { body }, options);
    }
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id, options) {
        return this.transport.call('getPaymentLink', { path: { id } }, options);
    }
    /**
     * Payment links, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
     */
    list(query = {}, options) {
        return this.transport.list('listPaymentLinks', query, options);
    }
    /**
     * Changes the fields in the body. Existing sessions stay unchanged.
     *
     * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
     */
    update(id, body, options) {
        return this.transport.call('updatePaymentLink', { path: { id }, body }, options);
    }
}
exports.PaymentLinks = PaymentLinks;
