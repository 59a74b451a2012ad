import type { Static } from 'typebox';
import { currencySchema } from '../../integrations/operators/schemas.ts';
import { metadataFilter, rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { metadataSchema } from '../../platform/http/metadata.ts';
import { nullable, optional } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { failureCodeSchema } from '../payments/schemas.ts';
import { refundStatuses } from './refund.ts';

const text = Type.String({ maxLength: 255 });
const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });
const paymentIntentId = Type.String({ examples: ['pi_01m7yhp3gfe04vkhm96w446fdc'] });

export const createRefundBody = Type.Object(
  {
    paymentIntentId,
    amount: optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'In centavos. By default, everything that is left of the payment.',
        examples: [5_000],
      }),
    ),
    reason: optional(text),
    metadata: optional(metadataSchema),
  },
  { title: 'CreateRefundBody', additionalProperties: false },
);
export type CreateRefundBody = Static<typeof createRefundBody>;

const status = Type.Enum([...refundStatuses], { title: 'RefundStatus' });

export const refundSchema = Type.Object(
  {
    id: Type.String({ examples: ['re_01m7yhp3gfe04vkhm96w446fdc'] }),
    paymentIntentId,
    amount: Type.String({ description: 'The amount, in centavos', examples: ['5000'] }),
    currency: currencySchema,
    status,
    reason: nullable(text),
    failureCode: nullable(failureCodeSchema),
    failureMessage: nullable(Type.String()),
    operatorRefundId: nullable(Type.String()),
    metadata: nullable(metadataSchema),
    createdAt: instant,
    updatedAt: instant,
    externalId: Type.Optional(
      Type.String({
        description: 'The externalId of its payment, if any.',
        examples: ['order 1042'],
      }),
    ),
    checkoutSessionId: Type.Optional(
      Type.String({
        description: 'The checkout session that its payment paid, if any.',
        examples: ['cs_01m7yhp3gfe04vkhm96w446fdc'],
      }),
    ),
  },
  { title: 'Refund' },
);

export const listRefundsQuery = rangedListQuery('re', {
  payment_intent_id: Type.Optional(paymentIntentId),
  status: severalOf(status),
  metadata: metadataFilter,
});
