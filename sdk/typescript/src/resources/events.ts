import type { ZimboEvent } from '../event.ts';
import type { EventType, ListEventsQuery } from '../generated.ts';
import type { List } from '../list.ts';
import type { CallOptions } from '../transport.ts';
import { Resource } from './resource.ts';

/** Events, whether or not an endpoint was subscribed to them (contract, section 6). */
export class Events extends Resource {
  /** @throws {ZimboError} `NOT_FOUND` */
  get(id: string, options?: CallOptions): Promise<ZimboEvent> {
    return this.transport.call('getEvent', { path: { id } }, options) as Promise<ZimboEvent>;
  }

  /**
   * Events, newest first; with a `type` or several, `data` has the resource of that type.
   *
   * @throws {ZimboError} when walked: `VALIDATION_ERROR` for an unknown type or an invalid cursor.
   */
  list<Type extends EventType = EventType>(
    query?: ListEventsQuery & { type?: Type | readonly Type[] | undefined },
    options?: CallOptions,
  ): List<ZimboEvent<Type>>;
  list(query?: ListEventsQuery, options?: CallOptions): List<ZimboEvent>;
  list(query: ListEventsQuery = {}, options?: CallOptions): List<ZimboEvent> {
    return this.transport.list<'listEvents', ZimboEvent>('listEvents', query, options);
  }
}
