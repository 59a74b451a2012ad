import type { Subscription } from './append.ts';
import type { NewEvent } from './event.ts';

/**
 * Deliveries are dispatched in memory to the process that wrote them, under a lease, so that the happy path needs no
 * claim. Without a worker, or without room in it, they are due at once.
 */
export interface DeliveryDispatcher {
  /** When other processes may take the deliveries of events that are written now. */
  leaseMs(nowMs: number, events: readonly NewEvent[]): number;
  /** @param events the events of the subscriptions, and perhaps others. */
  accept(subscriptions: Subscription[], events: readonly NewEvent[], leaseMs: number): void;
  /** Announces deliveries that were written without a lease, too large to be dispatched in memory. */
  wake(): void;
}

/** Without a worker in this process: deliveries are due for other processes at once. */
export const noDispatcher: DeliveryDispatcher = {
  leaseMs: (nowMs) => nowMs,
  accept() {},
  wake() {},
};
