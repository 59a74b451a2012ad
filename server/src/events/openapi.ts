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
  'webhook.test': 'A test was asked for; sent to one endpoint, which needs no subscription.',
};

const header = (description: string, example: string) => {
  const schema = { type: 'string' };
  return { in: 'header', required: true, description, schema, example };
};

const parameters = [
  {
    name: 'X-Service-Signature',
    ...header(
      'Hex HMAC-SHA256, under the endpoint secret, of the timestamp, a dot and the raw body',
      'f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816e13b',
    ),
  },
  {
    name: 'X-Service-Timestamp',
    ...header('Unix time in seconds of this attempt', '1795252200'),
  },
];

/** The events as webhooks of OpenAPI 3.1 (contract, section 6). */
export function eventWebhooks(
  dataSchemas: Partial<Record<string, object>>,
): Record<string, object> {
  return Object.fromEntries(
    [...eventTypes, testEventType].map((type) => [
      type,
      { post: operation(type, dataSchemas[type.split('.')[0]!]) },
    ]),
  );
}

function operation(type: NewEvent['type'], data: object = { type: 'object' }): object {
  const properties = {
    id: { type: 'string', description: 'The same at each attempt: deduplicate by it.' },
    type: { const: type },
    data,
    createdAt: { type: 'string', format: 'date-time' },
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return {
    summary: meanings[type],
    tags: ['Events'],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received. Any other answer, or none, is tried again.' },
    },
  };
}
