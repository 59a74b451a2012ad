import { Resource } from './resource.js';
/** Events, whether or not an endpoint was subscribed to them (contract, section 6). */
export class Events extends Resource {
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id, options) {
        return this.transport.call('getEvent', { path: { id } }, options);
    }
    list(query = {}, options) {
        return this.transport.list('listEvents', query, options);
    }
}
