import type { EventData, EventType } from './generated.ts';

/**
 * What happened (contract, section 6.2). Ask for the `type`, and `data` is the resource of that type, as it was then. `id` is the
 * same each time the event is delivered: deduplicate by it.
 */
export type ZimboEvent<Type extends EventType = EventType> = {
  [One in Type]: { id: string; type: One; data: EventData[One]; createdAt: string };
}[Type];
