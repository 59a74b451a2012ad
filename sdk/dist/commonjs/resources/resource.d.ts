import type { Transport } from '../transport.js';
/** The common base of all groups of operations. */
export declare abstract class Resource {
    /** @internal */
    protected readonly transport: Transport;
    constructor(transport: Transport);
}
