import type { EventData, EventType } from './generated.ts';

/**
 * An event (contract, section 6.2). Check `type`; `data` is the resource of that type at that time.
 * Each delivery of the event has the same `id`: use it to ignore duplicates.
 */
export type ZimboEvent<Type extends EventType = EventType> = {
  [One in Type]: { id: string; type: One; data: EventData[One]; createdAt: string };
}[Type];
