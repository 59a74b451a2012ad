import { isoInstant } from '../../platform/formats/instant.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';

/** The event types of the contract (section 6.1), and our additions. */
export const eventTypes = [
  'payment.created',
  'payment.debited',
  'payment.settled',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'refund.created',
  'refund.succeeded',
  'refund.failed',
  'checkout.completed',
  'checkout.expired',
  'settlement.completed',
  'operator.status_changed',
  'disbursement.created',
  'disbursement.succeeded',
  'disbursement.failed',
  'disbursement.cancelled',
  'disbursement_batch.completed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Our own addition: sent on request to one endpoint, without a subscription. */
export const testEventType = 'webhook.test' as const;

/** An event about to be written in the transaction of its change. */
export interface NewEvent {
  tenantId: string;
  id: string;
  type: EventType | typeof testEventType;
  objectId: string;
  /** Grows per object, so that a receiver can order its events. */
  sequence: number;
  /** The payload of the contract (section 6.2), to the byte as every attempt sends it. */
  body: string;
  createdAtMs: number;
}

/** @param objectJson the whole resource as it is at the event, as the API shows it. */
export function newEvent(event: Omit<NewEvent, 'body'>, objectJson: string): NewEvent {
  const [before, after] = aroundObject(event);
  return { ...event, body: before + objectJson + after };
}

/** The subject of an event, as it is after the change. */
interface Versioned {
  tenantId: string;
  id: string;
  version: number;
}

/** The event of a change at `atMs`. @param objectJson the whole object as it is then, as the API shows it */
export function eventOf(
  ids: Ids,
  type: NewEvent['type'],
  { tenantId, id: objectId, version: sequence }: Versioned,
  atMs: number,
  objectJson: string,
): NewEvent {
  const about = { tenantId, id: ids.next(atMs), type, objectId, sequence, createdAtMs: atMs };
  return newEvent(about, objectJson);
}

/** The text before the resource in the body of an event, and after it. */
export function aroundObject({
  id,
  type,
  createdAtMs,
}: Pick<NewEvent, 'id' | 'type' | 'createdAtMs'>): [before: string, after: string] {
  const createdAt = isoInstant(createdAtMs);
  return [
    `{"id":"${formatId('evt', id)}","type":"${type}","data":`,
    `,"createdAt":"${createdAt}"}`,
  ];
}
