import type { Static } from 'typebox';
import { disbursementFailureCodes } from '../../integrations/operators/operator.ts';
import { currencySchema, operatorSchema } from '../../integrations/operators/schemas.ts';
import { metadataFilter, rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { metadataSchema } from '../../platform/http/metadata.ts';
import { nullable, textOf } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { idPattern } from '../../platform/values/ids.ts';
import { fieldsToMove, instant, minorUnits, reference, text } from '../payments/schemas.ts';
import { disbursementStatuses } from './disbursement.ts';

export const createDisbursementBody = Type.Object(fieldsToMove("The recipient's"), {
  title: 'CreateDisbursementBody',
  additionalProperties: false,
});
export type CreateDisbursementBody = Static<typeof createDisbursementBody>;

const failureCode = Type.Enum([...disbursementFailureCodes], {
  title: 'DisbursementFailureCode',
  description: 'Why the disbursement failed. New codes are announced in the changelog.',
});
const status = Type.Enum([...disbursementStatuses], { title: 'DisbursementStatus' });

export const disbursementSchema = Type.Object(
  {
    id: Type.String({ examples: ['di_01m7yhp3gfe04vkhm96w446fdc'] }),
    externalId: nullable(reference),
    batchId: nullable(
      Type.String({
        description: 'The batch that it belongs to.',
        examples: ['dib_01m7yhp3gfe04vkhm96w446fdc'],
      }),
    ),
    amount: minorUnits('The amount that the recipient gets', '10000'),
    currency: currencySchema,
    feeAmount: minorUnits('The fee, which is taken from the balance beside the amount', '100'),
    operator: operatorSchema,
    operatorPhone: nullable(
      Type.String({
        description:
          'Masked (+238•••••45) for a key without phones:read; null after it has been erased.',
        examples: ['+2389912345'],
      }),
    ),
    operatorTxId: nullable(
      Type.String({
        description:
          'The operator’s transaction. On a FAILED disbursement, the sign that it succeeded after all.',
      }),
    ),
    status,
    failureCode: nullable(failureCode),
    failureMessage: nullable(Type.String()),
    description: nullable(text),
    statementDescriptor: nullable(text),
    customerId: nullable(reference),
    metadata: nullable(metadataSchema),
    expiresAt: Type.String({
      ...instant,
      description: 'If it could not be sent until then, it fails.',
    }),
    createdAt: instant,
    updatedAt: instant,
  },
  {
    title: 'Disbursement',
    // Assembled from the examples of its fields, it would have just been created, and have failed.
    examples: [
      {
        id: 'di_01m7yhp3gfe04vkhm96w446fdc',
        externalId: 'salary-11-042',
        batchId: null,
        amount: '10000',
        currency: 'CVE',
        feeAmount: '100',
        operator: 'MOCK',
        operatorPhone: '+2389912345',
        operatorTxId: 'mock_01m7yhp3gfe04vkhm96w446fdc',
        status: 'SUCCEEDED',
        failureCode: null,
        failureMessage: null,
        description: null,
        statementDescriptor: null,
        customerId: null,
        metadata: null,
        expiresAt: '2026-11-01T12:00:00.000Z',
        createdAt: '2026-10-31T12:00:00.000Z',
        updatedAt: '2026-10-31T12:00:05.000Z',
      },
    ],
  },
);

/** Of the event that a batch has ended. */
export const disbursementBatchSchema = Type.Object(
  { id: Type.String({ examples: ['dib_01m7yhp3gfe04vkhm96w446fdc'] }) },
  { title: 'DisbursementBatch' },
);

export const listDisbursementsQuery = rangedListQuery('di', {
  status: severalOf(status),
  operator: severalOf(operatorSchema),
  currency: severalOf(currencySchema),
  batch_id: Type.Optional(
    textOf(idPattern('dib'), 'must be an id that begins with dib_', {
      description: 'Only those of this batch.',
    }),
  ),
  customer_id: Type.Optional(reference),
  external_id: Type.Optional(reference),
  metadata: metadataFilter,
});
export type ListDisbursementsQuery = Static<typeof listDisbursementsQuery>;
