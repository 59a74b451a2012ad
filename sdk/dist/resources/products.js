import { Resource } from './resource.js';
/** Products that the items of checkout sessions can refer to (contract, sections 2.5 and 4.2). */
export class Products extends Resource {
    /**
     * @param body `price` in centavos, 0 to 999999999999.
     * @throws {ZimboError} `VALIDATION_ERROR`; `IDEMPOTENCY_KEY_REUSED`.
     */
    create(body, options) {
        return this.transport.call('createProduct', { body }, options);
    }
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id, options) {
        return this.transport.call('getProduct', { path: { id } }, options);
    }
    /**
     * Products, newest first.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an invalid filter or cursor.
     */
    list(query = {}, options) {
        return this.transport.list('listProducts', query, options);
    }
    /**
     * Changes the fields in the body. Existing sessions keep their copies.
     *
     * @param body `price` in centavos.
     * @throws {ZimboError} `NOT_FOUND`; `VALIDATION_ERROR`.
     */
    update(id, body, options) {
        return this.transport.call('updateProduct', { path: { id }, body }, options);
    }
    /** @throws {ZimboError} `NOT_FOUND` */
    async delete(id, options) {
        await this.transport.call('deleteProduct', { path: { id } }, options);
    }
}
