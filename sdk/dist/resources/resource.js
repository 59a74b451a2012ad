/** The common base of all groups of operations. */
export class Resource {
    /** @internal */
    transport;
    constructor(transport) {
        this.transport = transport;
    }
}
