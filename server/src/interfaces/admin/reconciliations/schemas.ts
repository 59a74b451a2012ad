import type { Static } from 'typebox';
import {
  differenceStatuses,
  explanationLimits,
  explanations,
} from '../../../backoffice/reconciliations/difference.ts';
import {
  reconciliationLimits,
  reconciliationStatuses,
  type Scope,
} from '../../../backoffice/reconciliations/reconciliation.ts';
import { differenceKinds } from '../../../money/ledger/reconcile-statement.ts';
import { operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { listQuery } from '../../../platform/http/lists.ts';
import { nullable, textOf } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/http/type.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { idPattern } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import { findMerchant } from '../../../tenants/merchants/store.ts';
import { instant, mode, uuidOf } from '../schemas.ts';

/** In major units, as in a statement. */
export const side = nullable(
  Type.Object(
    {
      amount: Type.String({ description: 'In major units, as in 15.20' }),
      currency: nullable(Type.String()),
      status: nullable(Type.String()),
    },
    { title: 'ReconciliationSide' },
  ),
);

const withoutPeriod =
  'By default, the completed lines define the period: then a missing first or last line goes unnoticed.';

const scopeParameters = {
  operator: Type.Enum([...operatorNames], { title: 'Operator' }),
  mode: Type.Optional(mode),
  merchant_id: Type.Optional(
    textOf(idPattern('me'), 'must be an id that begins with me_', {
      description: 'If the statement covers only this merchant.',
    }),
  ),
  currency: Type.Optional(Type.Enum([...currencies], { title: 'Currency' })),
  from: Type.Optional({ ...instant, description: `Of the period. ${withoutPeriod}` }),
  to: Type.Optional({ ...instant, description: `Exclusive. ${withoutPeriod}` }),
};

export const statementQuery = Type.Object(scopeParameters, { additionalProperties: false });

export const uploadQuery = Type.Object(
  {
    ...scopeParameters,
    file_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: reconciliationLimits.fileName,
        description: 'A name of the file for people.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The comparison that the query describes. */
export function scopeOf(query: Static<typeof statementQuery>): Scope {
  const { operator, mode: of = 'live', currency = null } = query;
  const msOf = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  const merchantId = uuidOf('me', query.merchant_id) ?? null;
  const period = { askedFromMs: msOf(query.from), askedUntilMs: msOf(query.to) };
  return { operator, mode: of, merchantId, currency, ...period };
}

/** @throws NOT_FOUND */
export async function requireMerchant(
  database: Queryable,
  { merchantId }: Pick<Scope, 'merchantId'>,
): Promise<void> {
  if (merchantId !== null && !(await findMerchant(database, merchantId)))
    throw notFound('merchant');
}

const kind = Type.Enum([...differenceKinds], { title: 'DifferenceKind' });
const status = Type.Enum([...reconciliationStatuses], { title: 'ReconciliationStatus' });
const differenceStatus = Type.Enum([...differenceStatuses], { title: 'DifferenceStatus' });
const actor = (description: string) =>
  Type.String({ description, examples: ['person:pe_01m7yhp3gge018xpacn8sjzp5w'] });

const stored = {
  id: Type.String({ examples: ['rc_01m7yhp3gge018xpacn8sjzp5w'] }),
  status,
  operator: Type.String(),
  mode,
  merchantId: nullable(Type.String()),
  currency: nullable(Type.Enum([...currencies], { title: 'Currency' })),
  fileName: Type.String(),
  sha256: Type.String({ description: 'Of the file' }),
  uploadedBy: actor('Who uploaded it'),
  createdAt: instant,
  from: nullable(instant),
  to: nullable(instant),
  comparedAt: nullable(instant),
  canCompareAgain: Type.Boolean({ description: 'Its lines are kept for 90 days' }),
  lines: Type.Integer(),
  matched: Type.Integer(),
  withoutMoney: Type.Integer(),
  differences: Type.Integer({ description: 'Of the latest comparison and of earlier ones' }),
  open: Type.Integer({ description: 'Differences that nobody has handled' }),
  failure: nullable(Type.String({ description: 'Why the comparison failed, as a code' })),
  closedBy: nullable(actor('Who acted last')),
  closedAt: nullable(instant),
};

export const storedSchema = Type.Object(stored, { title: 'StoredReconciliation' });

export const storedWithCountsSchema = Type.Object(
  {
    ...stored,
    counts: Type.Array(
      Type.Object(
        { kind, status: differenceStatus, count: Type.Integer() },
        { title: 'DifferenceCount' },
      ),
    ),
  },
  { title: 'StoredReconciliationWithCounts' },
);

export const storedDifferenceSchema = Type.Object(
  {
    id: Type.String({ examples: ['rd_01m7yhp3gge018xpacn8sjzp5w'] }),
    status: differenceStatus,
    kind,
    line: nullable(Type.Integer({ description: 'Of the statement' })),
    type: Type.String({ examples: ['DEBIT'] }),
    reference: Type.String(),
    transactionId: nullable(Type.String()),
    statement: side,
    ledger: side,
    bookedAt: nullable(instant),
    reason: nullable(Type.Enum([...explanations], { title: 'ExplanationReason' })),
    note: nullable(Type.String()),
    operatorReference: nullable(Type.String()),
    decidedBy: nullable(
      actor('Who explained the difference, or ran the comparison in which it had disappeared'),
    ),
    decidedAt: nullable(instant),
    askedAt: nullable(
      Type.String({ description: 'When somebody requested a query to the operator' }),
    ),
    reviewId: nullable(
      Type.String({ description: 'The review item (ri_…) where a person decides' }),
    ),
  },
  { title: 'StoredDifference' },
);

export const listStoredQuery = listQuery('rc', {
  status: Type.Optional(status),
  operator: Type.Optional(scopeParameters.operator),
  mode: Type.Optional(mode),
});

export const listDifferencesQuery = listQuery('rd', {
  kind: Type.Optional(kind),
  status: Type.Optional(differenceStatus),
});

const differenceId = textOf(idPattern('rd'), 'must be an id that begins with rd_', {});
const someDifferences = Type.Array(differenceId, {
  minItems: 1,
  maxItems: explanationLimits.atOnce,
});

export const explainBody = Type.Object(
  {
    differences: someDifferences,
    reason: Type.Enum([...explanations], { title: 'ExplanationReason' }),
    note: Type.Optional(
      Type.String({ maxLength: explanationLimits.note, description: 'Needed with OTHER.' }),
    ),
    operatorReference: Type.Optional(
      Type.String({ maxLength: explanationLimits.operatorReference }),
    ),
  },
  { title: 'ExplainDifferencesBody', additionalProperties: false },
);

export const askBody = Type.Object(
  { differences: someDifferences },
  { title: 'AskOperatorBody', additionalProperties: false },
);

export const differenceBody = Type.Object(
  { difference: differenceId },
  { title: 'DifferenceBody', additionalProperties: false },
);
