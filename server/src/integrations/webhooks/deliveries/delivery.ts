import { formatId } from '../../../platform/values/ids.ts';
import { readsPhones } from '../../../platform/values/phone.ts';
import type { Transitions } from '../../../platform/values/transitions.ts';
import type { NewEvent } from '../../events/event.ts';
import type { DeliveryAttemptDetail } from '../delivery-store.ts';

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The allowed transitions of a delivery (docs/payment-states.md). A redelivery makes it PENDING. */
export const deliveryTransitions: Transitions<DeliveryStatus> = {
  PENDING: ['PENDING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: ['PENDING'],
  FAILED: ['PENDING'],
};

/** A delivery for display: one event to one endpoint, with the results of its attempts. */
export interface StoredDelivery {
  endpointId: string;
  eventId: string;
  eventType: NewEvent['type'];
  status: DeliveryStatus;
  attempts: DeliveryAttemptDetail[];
  /** When the next attempt is due, or was: it may be under way. Null: none is planned. */
  plannedAtMs: number | null;
  error: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The reader's permissions. */
interface Reader {
  permissions: ReadonlySet<string>;
}

/**
 * The delivery as the API shows it. Its id is the event's with another prefix, since it belongs to one endpoint. A
 * receiver's answer may repeat the phone that it was sent, in any form, so only keys that may read phones see the
 * answer.
 */
export function deliveryView(delivery: StoredDelivery, { permissions }: Reader) {
  const isShown = permissions.has(readsPhones);
  return {
    id: formatId('dl', delivery.eventId),
    endpointId: formatId('we', delivery.endpointId),
    eventId: formatId('evt', delivery.eventId),
    eventType: delivery.eventType,
    status: delivery.status,
    nextAttemptAt:
      delivery.status === 'PENDING' && delivery.plannedAtMs !== null
        ? new Date(delivery.plannedAtMs).toISOString()
        : null,
    error: delivery.error,
    attempts: delivery.attempts.map(({ at, statusCode, durationMs, error, response }) => ({
      at,
      statusCode,
      durationMs,
      error,
      response: isShown ? response : null,
    })),
    createdAt: new Date(delivery.createdAtMs).toISOString(),
    updatedAt: new Date(delivery.updatedAtMs).toISOString(),
  };
}
