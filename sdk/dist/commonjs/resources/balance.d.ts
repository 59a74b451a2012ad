import type { Balance } from '../generated.js';
import type { CallOptions } from '../transport.js';
import { Resource } from './resource.js';
export declare class Balances extends Resource {
    /** The payable, pending and refunding amounts by currency, as text in whole centavos. */
    get(options?: CallOptions): Promise<Balance>;
}
