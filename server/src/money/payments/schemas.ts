import type { Static } from 'typebox';
import { type FailureCode, paymentFailureCodes } from '../../integrations/operators/operator.ts';
import { currencySchema, operatorSchema } from '../../integrations/operators/schemas.ts';
import { metadataFilter, rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { metadataSchema } from '../../platform/http/metadata.ts';
import { nullable, optional, textOf } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { idPattern } from '../../platform/values/ids.ts';
import { phoneFormat } from '../../platform/values/phone.ts';
import { paymentStatuses } from './payment.ts';

export const reference = Type.String({ minLength: 1, maxLength: 255 });
export const text = Type.String({ maxLength: 255 });
export const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });
export const minorUnits = (description: string, example: string) =>
  Type.String({ description: `${description}, in centavos`, examples: [example] });

export const failureCodeSchema = Type.Enum(paymentFailureCodes as FailureCode[], {
  title: 'FailureCode',
  description: 'Why the payment or refund failed. New codes are announced in the changelog.',
});
const status = Type.Enum([...paymentStatuses], { title: 'PaymentStatus' });

/** The fields of a request that moves money from or to a wallet. @param whose `The customer's` */
export const fieldsToMove = (whose: string) => ({
  amount: Type.Integer({
    minimum: 1,
    maximum: 100_000_000,
    description: 'In centavos, the smallest unit of both currencies.',
    examples: [10_000],
  }),
  operator: operatorSchema,
  operatorPhone: Type.String({
    format: phoneFormat,
    maxLength: 64,
    description: `${whose} phone: + and 8 to 15 digits, of which the first is not 0. It may be written as people paste it: separators, what cannot be seen and \`tel:\` are removed, and 00 means +.`,
    examples: ['+2389912345'],
  }),
  currency: optional(currencySchema),
  externalId: optional(reference),
  customerId: optional(reference),
  description: optional(text),
  statementDescriptor: optional(text),
  metadata: optional(metadataSchema),
});

export const createPaymentBody = Type.Object(fieldsToMove("The customer's"), {
  title: 'CreatePaymentBody',
  additionalProperties: false,
});
export type CreatePaymentBody = Static<typeof createPaymentBody>;

export const paymentSchema = Type.Object(
  {
    id: Type.String({ examples: ['pi_01m7yhp3gfe04vkhm96w446fdc'] }),
    externalId: nullable(reference),
    amount: minorUnits('The amount', '10000'),
    currency: currencySchema,
    feeAmount: minorUnits('The fee', '200'),
    netAmount: minorUnits('The amount minus the fee', '9800'),
    operator: operatorSchema,
    operatorPhone: Type.String({
      description:
        'Masked (+238•••••45) for a key without phones:read; +00000000 after it has been erased.',
      examples: ['+2389912345'],
    }),
    operatorTxId: nullable(Type.String()),
    status,
    failureCode: nullable(failureCodeSchema),
    failureMessage: nullable(Type.String()),
    description: nullable(text),
    statementDescriptor: nullable(text),
    customerId: nullable(reference),
    metadata: nullable(metadataSchema),
    expiresAt: instant,
    createdAt: instant,
    updatedAt: instant,
    checkoutSessionId: Type.Optional(
      Type.String({
        description: 'The checkout session that this payment tries to pay, if any.',
        examples: ['cs_01m7yhp3gfe04vkhm96w446fdc'],
      }),
    ),
  },
  {
    title: 'Payment',
    // Assembled from the examples of its fields, this payment would have just been created, and have failed.
    examples: [
      {
        id: 'pi_01m7yhp3gfe04vkhm96w446fdc',
        externalId: 'order-1042',
        amount: '10000',
        currency: 'CVE',
        feeAmount: '200',
        netAmount: '9800',
        operator: 'MOCK',
        operatorPhone: '+2389912345',
        operatorTxId: 'mock_01m7yhp3gfe04vkhm96w446fdc',
        status: 'DEBITED',
        failureCode: null,
        failureMessage: null,
        description: null,
        statementDescriptor: null,
        customerId: null,
        metadata: null,
        expiresAt: '2026-10-31T12:05:00.000Z',
        createdAt: '2026-10-31T12:00:00.000Z',
        updatedAt: '2026-10-31T12:00:20.000Z',
      },
    ],
  },
);

export type PaymentView = Static<typeof paymentSchema>;

const amountFilter = (description: string) =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: 999_999_999_999_999, description, examples: [10_000] }),
  );

export const listPaymentsQuery = rangedListQuery('pi', {
  status: severalOf(status),
  operator: severalOf(operatorSchema),
  currency: severalOf(currencySchema),
  customer_id: Type.Optional(reference),
  external_id: Type.Optional(reference),
  amount_gte: amountFilter('Only amounts of at least so many centavos.'),
  amount_lte: amountFilter('Only amounts of at most so many centavos.'),
  operator_phone: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Only those of this phone, written as for a new payment. Needs the permission phones:read.',
      examples: ['+2389912345'],
    }),
  ),
  operator_tx_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Only those with this operatorTxId.',
    }),
  ),
  checkout_session_id: Type.Optional(
    textOf(idPattern('cs'), 'must be an id that begins with cs_', {
      description: 'Only the attempts to pay this checkout session.',
    }),
  ),
  metadata: metadataFilter,
});
export type ListPaymentsQuery = Static<typeof listPaymentsQuery>;
