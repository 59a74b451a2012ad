import { eventTypes, type NewEvent, testEventType } from './event.ts';

const meanings: Record<NewEvent['type'], string> = {
  'payment.created': 'A payment was created.',
  'payment.debited': "The customer's mobile money was debited.",
  'payment.settled': 'A payment was settled to the merchant account.',
  'payment.failed': 'A payment failed.',
  'payment.expired': 'A payment expired before confirmation.',
  'payment.cancelled': 'A payment was cancelled.',
  'refund.created': 'A refund was initiated.',
  'refund.succeeded': 'A refund was completed.',
  'refund.failed': 'A refund failed.',
  'checkout.completed': 'A checkout session was completed.',
  'checkout.expired': 'A checkout session expired.',
  'settlement.completed': 'A settlement batch was processed.',
  'operator.status_changed':
    'An operator went down, became unreliable, or recovered. Sent only to endpoints of live keys that subscribe to it, at most once in five minutes for each operator.',
  'disbursement.created':
    'A disbursement was created, and its amount and fee were taken from the balance.',
  'disbursement.succeeded': 'The operator has paid a disbursement to its recipient.',
  'disbursement.failed': 'A disbursement failed; its amount and fee are back in the balance.',
  'disbursement.cancelled':
    'A disbursement was cancelled before it was sent; its amount and fee are back in the balance.',
  'disbursement_batch.completed': 'Each disbursement of a batch has ended.',
  'webhook.test':
    'A test event was requested. It is sent to one endpoint, which needs no subscription.',
};

const header = (description: string, example: string, required = true) => {
  const schema = { type: 'string' };
  return { in: 'header', required, description, schema, example };
};

const parameters = [
  {
    name: 'X-Service-Signature',
    ...header(
      'HMAC-SHA256 of the timestamp, a dot and the raw body, made with the secret of the endpoint, in hex',
      'f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816e13b',
    ),
  },
  {
    name: 'X-Service-Timestamp',
    ...header('Unix time in seconds of this attempt', '1795252200'),
  },
  {
    name: 'X-Service-Signature-Next',
    ...header(
      'The same, made with the new secret, during the overlap of a rotation',
      'f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816e13b',
      false,
    ),
  },
  {
    name: 'X-Service-Sequence',
    ...header('Increases with each event of one object, so that you can order them', '3'),
  },
  {
    name: 'webhook-id',
    ...header('The id of the event (Standard Webhooks)', 'evt_01m7yhp3gfe04vkhm96w446fde'),
  },
  {
    name: 'webhook-timestamp',
    ...header('The same as X-Service-Timestamp (Standard Webhooks)', '1795252200'),
  },
  {
    name: 'webhook-signature',
    ...header(
      'v1 and the base64 HMAC-SHA256 of id, timestamp and body (Standard Webhooks); two of them during the overlap of a rotation',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  },
];

/** The events as webhooks of OpenAPI 3.1 (contract, section 6). */
export function eventWebhooks(
  dataSchemas: Partial<Record<string, object>>,
): Record<string, object> {
  return Object.fromEntries(
    types.map((type) => [type, { post: operation(type, dataSchemas[type.split('.')[0]!]) }]),
  );
}

/** `PaymentCreatedEvent` for `payment.created`, `OperatorStatusChangedEvent` for `operator.status_changed`. */
const titleOf = (type: NewEvent['type']) =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Event`;

const types = [...eventTypes, testEventType];
const schemaOf = (type: NewEvent['type']) => `#/components/schemas/${titleOf(type)}`;

/** Any event, distinguished by its type. */
export const eventUnion = {
  oneOf: types.map((type) => ({ $ref: schemaOf(type) })),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(types.map((type) => [type, schemaOf(type)])),
  },
};

function operation(type: NewEvent['type'], data: object = { type: 'object' }): object {
  const properties = {
    id: {
      type: 'string',
      description: 'The same in every attempt, so you can use it to deduplicate.',
    },
    type: { type: 'string', enum: [type] },
    data,
    createdAt: { type: 'string', format: 'date-time' },
  };
  const required = Object.keys(properties);
  const schema = { title: titleOf(type), type: 'object', required, properties };
  return {
    summary: meanings[type],
    description: 'Zimbo signs the request instead of sending a key: verify X-Service-Signature.',
    security: [],
    tags: ['Notifications'],
    operationId: `on${titleOf(type)}`,
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': {
        description: 'Received. After any other answer, or none, the delivery is tried again.',
      },
    },
  };
}
