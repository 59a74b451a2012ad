import { Resource } from './resource.js';
export class Balances extends Resource {
    /** The payable, pending and refunding amounts by currency, as text in whole centavos. */
    get(options) {
        return this.transport.call('getBalance', {}, options);
    }
}
