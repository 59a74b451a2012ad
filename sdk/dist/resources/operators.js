import { Resource } from './resource.js';
/** The operators that customers can pay with, and their state. */
export class Operators extends Resource {
    /** @throws {ZimboError} `NOT_FOUND`: there is no such operator, or the gateway is not configured for it. */
    get(name, options) {
        return this.transport.call('getOperator', { path: { name } }, options);
    }
    /** All operators that the gateway is configured for. With a test key: all, and all UP. */
    async list(options) {
        return (await this.transport.call('listOperators', {}, options)).data;
    }
    /**
     * The operator that a phone probably belongs to, by its prefix alone. Let the customer correct it.
     *
     * @throws {ZimboError} `VALIDATION_ERROR` if it is no phone.
     */
    predict(body, options) {
        return this.transport.call('predictOperator', { body }, options);
    }
}
