import { rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { nullable, optional, textOf } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { eventTypes } from '../events/event.ts';
import { eventTypeSchema } from '../events/schemas.ts';
import { deliveryStatuses } from './deliveries/delivery.ts';

const eventList = Type.Array(Type.Enum([...eventTypes], { title: 'SubscribedEventType' }), {
  minItems: 1,
  description: 'The event types to send to it. Duplicates are removed.',
  examples: [['payment.debited', 'payment.failed']],
});
const url = textOf('^[Hh][Tt][Tt][Pp][Ss]?://', 'must begin with https:// or http://', {
  format: 'iri',
  maxLength: 2048,
  description: 'http or https; with a live key, https only. It must not contain a user name.',
  examples: ['https://shop.cv/webhooks'],
});
const description = Type.String();

export const createBody = Type.Object(
  { url, events: eventList, description: optional(description) },
  { title: 'CreateWebhookEndpointBody', additionalProperties: false },
);

const status = Type.Enum(['ACTIVE', 'DISABLED'], {
  title: 'WebhookEndpointStatus',
  description: 'A DISABLED endpoint gets no new events, and its pending deliveries wait.',
});

const disabledReason = Type.Enum(['GONE', 'FAILING'], {
  title: 'DisabledReason',
  description:
    'Why it was disabled automatically: it answered 410 Gone, or every attempt failed for five days. Absent otherwise.',
});

export const updateBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(eventList),
    status: Type.Optional(status),
    description: optional(description),
  },
  { title: 'UpdateWebhookEndpointBody', additionalProperties: false },
);

export const endpointSchema = Type.Object(
  {
    id: Type.String({ examples: ['we_01m7yhp3gge018xpaqz0qp4c2g'] }),
    url,
    events: eventList,
    status,
    disabledReason: Type.Optional(disabledReason),
    description: nullable(description),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'WebhookEndpoint' },
);

const secret = Type.Optional(
  Type.String({
    description:
      'The signing secret. It is shown only in this answer, so store it. Absent from a repeated answer once the secret was rotated again.',
    examples: ['whsec_3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  }),
);
export const createdSchema = Type.Object(
  { ...endpointSchema.properties, secret },
  { title: 'CreateWebhookEndpointAnswer' },
);
export const idParams = Type.Object({ id: Type.String() });
export const tags = ['Webhooks'];

export const rotateBody = Type.Object(
  {
    overlapHours: optional(
      Type.Integer({
        minimum: 0,
        maximum: 72,
        description:
          'For how many hours deliveries are also signed with the old secret. By default, 24.',
      }),
    ),
    endOverlap: optional(
      Type.Boolean({
        description:
          'Whether to rotate although an earlier overlap is under way, which ends then: the secret of before it stops signing. By default, false.',
      }),
    ),
  },
  { title: 'RotateWebhookSecretBody', additionalProperties: false },
);

export const rotatedSchema = Type.Object(
  {
    ...createdSchema.properties,
    overlapEndsAt: Type.String({
      format: 'date-time',
      description: 'When the old secret stops signing.',
    }),
  },
  { title: 'RotateWebhookSecretAnswer' },
);

const deliveryStatus = Type.Enum([...deliveryStatuses], { title: 'WebhookDeliveryStatus' });

const attemptSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    statusCode: nullable(Type.Integer({ description: 'Null if there was no answer.' })),
    durationMs: Type.Integer(),
    error: nullable(Type.String({ examples: ['answered 500'] })),
    response: nullable(
      Type.String({
        description:
          'The first KiB of the answer. Null for a key without phones:read, because it may repeat what was sent.',
      }),
    ),
  },
  { title: 'WebhookDeliveryAttempt' },
);

export const deliverySchema = Type.Object(
  {
    id: Type.String({ examples: ['dl_01m7yhp3gfe04vkhm96w446fde'] }),
    endpointId: Type.String({ examples: ['we_01m7yhp3gge018xpaqz0qp4c2g'] }),
    eventId: Type.String({ examples: ['evt_01m7yhp3gfe04vkhm96w446fde'] }),
    eventType: eventTypeSchema,
    status: deliveryStatus,
    nextAttemptAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'In the past while the attempt is under way; null if none is planned.',
      }),
    ),
    error: nullable(Type.String({ description: 'Why it has not been delivered.' })),
    attempts: Type.Array(attemptSchema, {
      description: 'Up to the latest twenty, oldest first.',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'WebhookDelivery' },
);

export const listDeliveriesQuery = rangedListQuery('dl', { status: severalOf(deliveryStatus) });

export const deliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() });

const instant = (description: string) =>
  Type.String({
    format: 'date-time',
    description,
    examples: ['2026-11-21T08:00:00Z'],
  });

export const redeliverBody = Type.Object(
  {
    since: instant('The start of the range.'),
    until: optional(instant('The end of the range. By default, now.')),
    status: optional(deliveryStatus),
  },
  { title: 'RedeliverWebhookEventsBody', additionalProperties: false },
);

export const redeliveredSchema = Type.Object(
  {
    count: Type.Integer({
      description:
        'How many events are sent again. After 10000, a request ends with the millisecond of the last one.',
    }),
    nextSince: nullable(
      Type.String({
        format: 'date-time',
        description:
          'The value of since for the next request; null if all events have been sent again.',
      }),
    ),
  },
  { title: 'RedeliverWebhookEventsAnswer' },
);
