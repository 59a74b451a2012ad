import type { Static } from 'typebox';
import { currencySchema } from '../../../integrations/operators/schemas.ts';
import { rangedListQuery, severalOf } from '../../../platform/http/list-range.ts';
import { nullable, optional, textOf } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/http/type.ts';
import { idPattern } from '../../../platform/values/ids.ts';
import { instant, minorUnits, reference, text } from '../../payments/schemas.ts';
import { createDisbursementBody } from '../schemas.ts';
import { batchStatuses, mostRows } from './batch.ts';

export const createBatchBody = Type.Object(
  {
    items: Type.Array(createDisbursementBody, {
      minItems: 1,
      maxItems: mostRows,
      description: 'The rows; each is what POST /v1/disbursements takes.',
    }),
    externalId: optional(reference),
    description: optional(text),
    retryOf: optional(
      textOf(idPattern('dib'), 'must be an id that begins with dib_', {
        description: 'The batch whose rows this one tries again.',
      }),
    ),
  },
  { title: 'CreateDisbursementBatchBody', additionalProperties: false },
);
export type CreateBatchBody = Static<typeof createBatchBody>;

const status = Type.Enum([...batchStatuses], {
  title: 'DisbursementBatchStatus',
  description:
    'CREATED: its disbursements are being created. PROCESSING: all of them are. COMPLETED: each has ended.',
});
const exampleId = 'dib_01m7yhp3gfe04vkhm96w446fdc';
const batchId = (description: string) =>
  nullable(Type.String({ description, examples: [exampleId] }));
const rows = (description: string) => Type.Integer({ description });

const totalSchema = Type.Object(
  {
    currency: currencySchema,
    amount: minorUnits('The amounts of all rows', '20000'),
    feeAmount: minorUnits('The fees of all rows', '200'),
  },
  { title: 'DisbursementBatchTotal' },
);

const countsSchema = Type.Object(
  {
    created: rows('Not sent yet; also rows whose disbursement is not created yet.'),
    processing: rows('Sent to the operator.'),
    succeeded: rows('Paid.'),
    failed: rows('Failed, for example because the balance did not cover them.'),
    cancelled: rows('Cancelled.'),
  },
  { title: 'DisbursementBatchCounts', description: 'How many rows are in each status.' },
);

export const batchSchema = Type.Object(
  {
    id: Type.String({ examples: [exampleId] }),
    externalId: nullable(reference),
    description: nullable(text),
    status,
    itemCount: Type.Integer({ description: 'How many rows it has.' }),
    currency: nullable(currencySchema),
    amount: nullable(minorUnits('The amounts of all rows; null with several currencies', '20000')),
    feeAmount: nullable(minorUnits('The fees of all rows; null with several currencies', '200')),
    totals: Type.Array(totalSchema, {
      description: 'By currency, as requested, whatever has become of the rows.',
    }),
    counts: countsSchema,
    retryOf: batchId('The batch whose rows it tries again.'),
    duplicateOf: batchId('A warning: this earlier batch had exactly the same rows.'),
    createdAt: instant,
    updatedAt: instant,
    completedAt: nullable(Type.String({ ...instant, description: 'When its last row ended.' })),
  },
  {
    title: 'DisbursementBatch',
    examples: [
      {
        id: exampleId,
        externalId: 'salaries-11',
        description: null,
        status: 'COMPLETED',
        itemCount: 2,
        currency: 'CVE',
        amount: '20000',
        feeAmount: '200',
        totals: [{ currency: 'CVE', amount: '20000', feeAmount: '200' }],
        counts: { created: 0, processing: 0, succeeded: 1, failed: 1, cancelled: 0 },
        retryOf: null,
        duplicateOf: null,
        createdAt: '2026-10-31T12:00:00.000Z',
        updatedAt: '2026-10-31T12:00:06.000Z',
        completedAt: '2026-10-31T12:00:06.000Z',
      },
    ],
  },
);

export const listBatchesQuery = rangedListQuery('dib', {
  status: severalOf(status),
  external_id: Type.Optional(reference),
});
