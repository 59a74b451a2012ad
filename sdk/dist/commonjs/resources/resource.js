"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Resource = void 0;
/** The common base of all groups of operations. */
class Resource {
    /** @internal */
    transport;
    constructor(transport) {
        this.transport = transport;
    }
}
exports.Resource = Resource;
