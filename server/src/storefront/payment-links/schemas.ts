import type { Static } from 'typebox';
import { currencySchema } from '../../integrations/operators/schemas.ts';
import { metadataFilter, rangedListQuery } from '../../platform/http/list-range.ts';
import { metadataSchema } from '../../platform/http/metadata.ts';
import { either, given, missing, nullable, optional } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { aboutCompletionUrl, shopUrl, storedUrl } from '../checkout/schemas.ts';

const description = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'What is paid for. The customer reads it, and the payments carry it.',
  examples: ['Quota mensal'],
});
const amount = (text: string) =>
  Type.Integer({ minimum: 1, maximum: 100_000_000, description: text, examples: [50_000] });
const aboutReturnUrl = 'Where "back to the shop" leads, on the pages of its sessions.';
const active = Type.Boolean({ description: 'Whether it can be used: false pauses it.' });
const maxUses = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'How many sessions it may make. Null: any number.',
});
const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });
const expiresAt = Type.String({
  format: 'date-time',
  description: 'When it ends. Null: it does not.',
  examples: ['2027-01-31T22:59:59.000Z'],
});

export const createLinkBody = Type.Object(
  {
    description,
    productId: optional(
      Type.String({
        description: 'An active product of yours, at its price when the link is used.',
      }),
    ),
    amount: optional(amount('A fixed amount, in centavos.')),
    minAmount: optional(amount('The least that a customer may choose, in centavos.')),
    maxAmount: optional(amount('The most that a customer may choose, in centavos.')),
    currency: optional(currencySchema),
    returnUrl: optional(shopUrl(aboutReturnUrl)),
    completionUrl: optional(shopUrl(aboutCompletionUrl)),
    metadata: optional(metadataSchema),
    maxUses: optional(maxUses),
    expiresAt: optional(expiresAt),
  },
  {
    title: 'CreatePaymentLinkBody',
    additionalProperties: false,
    description: 'Give exactly one of productId, amount, and minAmount with maxAmount.',
  },
);
/**
 * The rule in that description, for the OpenAPI document. Requests are checked in code: a schema would find this fault
 * before a missing description.
 */
export const oneWayToPay = either(
  given(['productId']),
  missing(['amount', 'minAmount', 'maxAmount']),
  either(given(['amount']), missing(['minAmount', 'maxAmount']), given(['minAmount', 'maxAmount'])),
);

export type CreateLinkBody = Static<typeof createLinkBody>;

export const updateLinkBody = Type.Object(
  {
    description: Type.Optional(description),
    active: Type.Optional(active),
    maxUses: optional(maxUses),
    expiresAt: optional(expiresAt),
  },
  { title: 'UpdatePaymentLinkBody', additionalProperties: false },
);

const minor = (text: string) =>
  nullable(Type.String({ description: `${text}, in centavos`, examples: ['50000'] }));

export const linkSchema = Type.Object(
  {
    id: Type.String({ examples: ['pl_01m7yhp3gfe04vkhm96w446fdc'] }),
    url: Type.String({ description: 'Each use of it makes a checkout session.' }),
    shortUrl: Type.String({
      description: 'A short address of the same page, for posters and messages.',
      examples: ['https://pay.example.cv/l/1hr9v4k2m8q0x5d7c3e6g4j9ta'],
    }),
    description,
    productId: nullable(Type.String()),
    amount: minor('The fixed amount'),
    minAmount: minor('The least that a customer may choose'),
    maxAmount: minor('The most that a customer may choose'),
    currency: currencySchema,
    returnUrl: nullable(storedUrl(aboutReturnUrl)),
    completionUrl: nullable(storedUrl(aboutCompletionUrl)),
    metadata: nullable(metadataSchema),
    active,
    uses: Type.Integer({ description: 'How many sessions it has made.' }),
    maxUses: nullable(maxUses),
    expiresAt: nullable(expiresAt),
    createdAt: instant,
    updatedAt: instant,
  },
  { title: 'PaymentLink' },
);

export const listLinksQuery = rangedListQuery('pl', {
  active: Type.Optional(Type.Boolean()),
  metadata: metadataFilter,
});
