import { Type } from 'typebox';
import { eventTypes } from '../events/event.ts';
import { eventTypeSchema } from '../events/schemas.ts';
import { listQuery } from '../http/lists.ts';
import { nullable, optional, textOf } from '../http/schema.ts';
import { deliveryStatuses } from './deliveries/delivery.ts';

const eventList = Type.Array(Type.Enum([...eventTypes], { title: 'SubscribedEventType' }), {
  minItems: 1,
  description: 'The event types to be sent to it; repeats are dropped.',
  examples: [['payment.debited', 'payment.failed']],
});
const url = textOf('^[Hh][Tt][Tt][Pp][Ss]?://', 'must begin with https:// or http://', {
  format: 'iri',
  maxLength: 2048,
  description: 'http or https; with a live key https only. No user name.',
  examples: ['https://shop.cv/webhooks'],
});
const description = Type.String();

export const createBody = Type.Object(
  { url, events: eventList, description: optional(description) },
  { title: 'CreateWebhookEndpointBody', additionalProperties: false },
);

const status = Type.Enum(['ACTIVE', 'DISABLED'], {
  title: 'WebhookEndpointStatus',
  description: 'A DISABLED endpoint gets nothing new, and what is pending waits.',
});

const disabledReason = Type.Enum(['GONE', 'FAILING'], {
  title: 'DisabledReason',
  description:
    'Why it disabled itself: it answered 410 Gone, or has only failed for five days. Absent otherwise.',
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

const secret = Type.String({
  description: 'The signing secret. It is in this answer only: store it.',
  examples: ['whsec_3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
});
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
        description: 'How long deliveries are signed with the old secret too; by default 24.',
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
    statusCode: nullable(Type.Integer({ description: 'Null where no answer came.' })),
    durationMs: Type.Integer(),
    error: nullable(Type.String({ examples: ['answered 500'] })),
    response: nullable(
      Type.String({
        description:
          'The first KiB of the answer. Null for a key without phones:read, since it may repeat what was sent.',
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
        description: 'In the past while it is under way; null where none is planned.',
      }),
    ),
    error: nullable(Type.String({ description: 'Why it is not delivered.' })),
    attempts: Type.Array(attemptSchema, {
      description: 'The latest twenty at most, oldest first.',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'WebhookDelivery' },
);

export const listDeliveriesQuery = listQuery('dl', { status: Type.Optional(deliveryStatus) });

export const deliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() });

const instant = (description: string) =>
  Type.String({
    format: 'date-time',
    description,
    examples: ['2026-11-21T08:00:00Z'],
  });

export const redeliverBody = Type.Object(
  {
    since: instant('The first instant of the range.'),
    until: optional(instant('The end of the range; by default now.')),
    status: optional(deliveryStatus),
  },
  { title: 'RedeliverWebhookEventsBody', additionalProperties: false },
);

export const redeliveredSchema = Type.Object(
  {
    count: Type.Integer({
      description: 'How many events are sent again; 10000 at most in one go.',
    }),
    nextSince: nullable(
      Type.String({
        format: 'date-time',
        description: 'Where the next request goes on; null: done.',
      }),
    ),
  },
  { title: 'RedeliverWebhookEventsAnswer' },
);
