import type { Subscription } from './append.ts';
import type { NewEvent } from './event.ts';

/**
 * Deliveries are dispatched in memory to the process that wrote them, under a lease, so that the
 * happy path needs no claim. Where there is no worker, or it has no room, they are due at once.
 */
export interface DeliveryDispatcher {
  /** When the deliveries of events that are written now come due for others. */
  leaseMs(nowMs: number, events: readonly NewEvent[]): number;
  /** @param events those that the subscriptions are to, and perhaps others. */
  accept(subscriptions: Subscription[], events: readonly NewEvent[], leaseMs: number): void;
  /** Tells of deliveries that were written without a lease, too large to be dispatched in memory. */
  wake(): void;
}

/** If no worker runs in this process: deliveries are due for others at once. */
export const noDispatcher: DeliveryDispatcher = {
  leaseMs: (nowMs) => nowMs,
  accept() {},
  wake() {},
};
