"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Events = void 0;
const resource_ts_1 = require("./resource.js");
/** Events, whether or not an endpoint was subscribed to them (contract, section 6). */
class Events extends resource_ts_1.Resource {
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id, options) {
        return this.transport.call('getEvent', { path: { id } }, options);
    }
    list(query = {}, options) {
        return this.transport.list('listEvents', query, options);
    }
}
exports.Events = Events;
