import type { Static } from 'typebox';
import { currencySchema } from '../../integrations/operators/schemas.ts';
import { reference } from '../../money/payments/schemas.ts';
import { sessionStatuses } from '../../money/payments/session-slot.ts';
import { metadataFilter, rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { metadataSchema } from '../../platform/http/metadata.ts';
import { exactlyOneOf, nullable, optional } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { longestUrl } from './return-url.ts';

const name = Type.String({ minLength: 1, maxLength: 255, examples: ['Cachupa rica'] });
const text = Type.String();
const shortText = Type.String({
  maxLength: 255,
  description: 'What is paid for. It is copied to the payments of the session.',
});
const order = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'What you call the order. Need not be unique. It is copied to the payments of the session.',
  examples: ['order 1042'],
});
const quantity = Type.Integer({ minimum: 1, maximum: 9_999, examples: [2] });
const amount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 100_000_000, description, examples: [50_000] });
const aboutReturnUrl =
  'Where "back to the shop" leads: an absolute URL, which may open an app. It must not contain a user name or use the schemes javascript, data, vbscript, file or blob.';
export const aboutCompletionUrl =
  'Where the customer goes after paying. Arriving there does not prove payment.';
/** The redirect address as given: those of older sessions may be longer. */
export const shopUrl = (description: string) =>
  Type.String({ format: 'iri', maxLength: longestUrl, description });
export const storedUrl = (description: string) => Type.String({ format: 'iri', description });

const newItem = Type.Object(
  {
    productId: optional(Type.String({ description: 'An active product of yours.' })),
    name,
    description: optional(text),
    quantity,
    unitPrice: amount('In centavos.'),
  },
  { title: 'NewCheckoutSessionItem', additionalProperties: false },
);

export const createSessionBody = Type.Object(
  {
    items: optional(
      Type.Array(newItem, {
        minItems: 1,
        description: 'What is paid for. Give items or amount, not both.',
      }),
    ),
    amount: optional(amount('A fixed amount, in centavos. Give amount or items, not both.')),
    currency: optional(currencySchema),
    externalId: optional(order),
    customerId: optional(reference),
    description: optional(shortText),
    returnUrl: optional(shopUrl(aboutReturnUrl)),
    completionUrl: optional(shopUrl(aboutCompletionUrl)),
    expiresInMinutes: optional(
      Type.Integer({ minimum: 5, maximum: 1440, description: '1440 by default.' }),
    ),
    metadata: optional(metadataSchema),
  },
  {
    title: 'CreateCheckoutSessionBody',
    additionalProperties: false,
    ...exactlyOneOf('items', 'amount'),
  },
);
export type CreateSessionBody = Static<typeof createSessionBody>;

const itemSchema = Type.Object(
  {
    id: Type.String({ examples: ['ci_01m7yhp3gfe04vkhm96w446fdc'] }),
    productId: nullable(Type.String()),
    name,
    description: nullable(text),
    quantity,
    unitPrice: Type.String({ description: 'In centavos', examples: ['50000'] }),
    currency: currencySchema,
  },
  { title: 'CheckoutSessionItem' },
);

const status = Type.Enum([...sessionStatuses], { title: 'CheckoutSessionStatus' });
const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });

export const sessionSchema = Type.Object(
  {
    id: Type.String({ examples: ['cs_01m7yhp3gfe04vkhm96w446fdc'] }),
    url: Type.String({ description: 'The payment page. Anyone with the link can pay.' }),
    amount: Type.String({ description: 'The sum, in centavos', examples: ['100000'] }),
    currency: currencySchema,
    status,
    returnUrl: nullable(storedUrl(aboutReturnUrl)),
    completionUrl: nullable(storedUrl(aboutCompletionUrl)),
    customerId: nullable(reference),
    paymentIntentId: nullable(Type.String({ description: 'The payment of the latest attempt.' })),
    items: Type.Array(itemSchema),
    metadata: nullable(metadataSchema),
    expiresAt: instant,
    createdAt: instant,
    updatedAt: instant,
    description: Type.Optional(shortText),
    externalId: Type.Optional(order),
  },
  { title: 'CheckoutSession' },
);

export const listSessionsQuery = rangedListQuery('cs', {
  status: severalOf(status),
  customer_id: Type.Optional(reference),
  external_id: Type.Optional(reference),
  payment_intent_id: Type.Optional(
    Type.String({ description: 'The session that this payment tries to pay.' }),
  ),
  metadata: metadataFilter,
});
