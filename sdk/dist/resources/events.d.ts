import type { ZimboEvent } from '../event.js';
import type { EventType, ListEventsQuery } from '../generated.js';
import type { List } from '../list.js';
import type { CallOptions } from '../transport.js';
import { Resource } from './resource.js';
/** Events, whether or not an endpoint was subscribed to them (contract, section 6). */
export declare class Events extends Resource {
    /** @throws {ZimboError} `NOT_FOUND` */
    get(id: string, options?: CallOptions): Promise<ZimboEvent>;
    /**
     * Events, newest first; with a `type` or several, `data` has the resource of that type.
     *
     * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an unknown type or an invalid cursor.
     */
    list<Type extends EventType = EventType>(query?: ListEventsQuery & {
        type?: Type | readonly Type[] | undefined;
    }, options?: CallOptions): List<ZimboEvent<Type>>;
    list(query?: ListEventsQuery, options?: CallOptions): List<ZimboEvent>;
}
