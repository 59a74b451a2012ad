import { invalid, notFound } from '../errors.ts';
import { listOf, pageLimit, sendPage } from '../http/lists.ts';
import { nullable, textOf } from '../http/schema.ts';
import type { HttpScope } from '../http/server.ts';
import { Type } from '../http/type.ts';
import { formatId, idPattern, parseId } from '../ids.ts';
import {
  type AccountPosition,
  accountId,
  accountIdPattern,
  accountPage,
  type Balance,
  parseAccountId,
} from '../ledger/balances.ts';
import { type ListedPosting, listPostings } from '../ledger/list-postings.ts';
import { suspense } from '../ledger/suspense.ts';
import { findTenant, findTenants } from '../merchants/store.ts';
import { listReversals } from '../reversals/list.ts';
import { reversalStatuses } from '../reversals/reversal.ts';
import { may } from './may.ts';
import { instant, merchantId, minorUnits, mode, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Ledger'];
const config = may('ledger.read', 'NOT_FOUND');

const accountSchema = Type.Object(
  {
    id: Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w.live.CVE.payable'] }),
    merchantId,
    merchantName: Type.String(),
    mode,
    account: Type.String({ examples: ['payable'] }),
    currency: Type.String(),
    balance: minorUnits('What it holds', '9800'),
  },
  { title: 'LedgerAccount' },
);

const postingSchema = Type.Object(
  {
    id: Type.String({ examples: ['019aa5d4-e0fb-7000-8000-000000000001.debit_net'] }),
    sourceId: Type.String({ description: 'The UUID of the payment, refund or settlement' }),
    kind: Type.String({ examples: ['debit_net'] }),
    from: Type.String({ examples: ['operator:CVMOVEL'] }),
    to: Type.String({ examples: ['payable'] }),
    amount: minorUnits('What moved', '9800'),
    currency: Type.String(),
    createdAt: instant,
  },
  { title: 'Posting' },
);

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const merchant = textOf(idPattern('me'), 'must be an id that begins with me_');

const mostAccounts = 1_000;
const listAccountsQuery = Type.Object(
  {
    merchant_id: Type.Optional(merchant),
    mode: Type.Optional(mode),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    limit: Type.Integer({
      minimum: 1,
      maximum: mostAccounts,
      default: mostAccounts,
      description: 'How many items a page may hold.',
    }),
    starting_after: Type.Optional(
      textOf(accountIdPattern, 'must be the id of an account', {
        description: 'The id of the last item of the previous page.',
      }),
    ),
  },
  { additionalProperties: false },
);
const listPostingsQuery = Type.Object(
  {
    merchant_id: merchant,
    mode,
    payment_id: Type.Optional(textOf(idPattern('pi'), 'must be an id that begins with pi_')),
    limit: pageLimit,
    starting_after: Type.Optional(
      textOf(`^${uuid}\\.[a-z0-9_:]{1,60}$`, 'must be the id of a posting', {
        description: 'The id of the last item of the previous page.',
      }),
    ),
  },
  { additionalProperties: false },
);
const listReversalsQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...reversalStatuses], { title: 'ReversalStatus' })),
    limit: pageLimit,
    starting_after: Type.Optional(
      textOf(`^${uuid}$`, 'must be the id of a reversal', {
        description: 'The id of the last item of the previous page.',
      }),
    ),
  },
  { additionalProperties: false },
);

const listSuspenseQuery = Type.Object(
  {
    limit: pageLimit,
    starting_after: Type.Optional(
      textOf(`^${uuid}$|${idPattern('re')}`, 'must be the id of an item of this list', {
        description: 'The id of the last item of the previous page.',
      }),
    ),
  },
  { additionalProperties: false },
);

const wrongDebit = {
  paymentId: Type.String(),
  merchantId: nullable(merchantId),
  mode: nullable(mode),
  reason: Type.String({ examples: ['LATE_DEBIT'] }),
  operator: Type.String(),
  operatorTxId: Type.String(),
  currency: Type.String(),
  amount: minorUnits('What it moved', '10000'),
  failureCode: nullable(Type.String()),
  createdAt: instant,
};
const suspenseSchema = Type.Object(
  {
    id: Type.String({ description: 'The UUID of the reversal, or the id of the refund' }),
    ...wrongDebit,
    status: nullable(Type.String({ description: 'Of the reversal; null for a refund' })),
  },
  { title: 'SuspenseItem' },
);
const reversalSchema = Type.Object(
  {
    id: Type.String(),
    ...wrongDebit,
    status: Type.Enum([...reversalStatuses], { title: 'ReversalStatus' }),
    operatorReversalId: nullable(Type.String()),
    byHand: Type.Boolean({ description: 'A person said what became of it' }),
  },
  { title: 'Reversal' },
);

export function ledgerRoutes(scope: HttpScope, services: AdminServices): void {
  accountsRoute(scope, services);
  postingsRoute(scope, services);
  suspenseRoute(scope, services);
  reversalsRoute(scope, services);
}

const accountView = ({ merchantId: id, balanceMinor, ...rest }: Balance) => ({
  id: accountId({ merchantId: id, ...rest }),
  ...rest,
  merchantId: formatId('me', id),
  balance: balanceMinor.toString(),
});

/** @throws VALIDATION_ERROR it is no id of an account, although it looks like one */
function positionOf(id: string | undefined): AccountPosition | undefined {
  if (id === undefined) return undefined;
  const position = parseAccountId(id);
  if (position === undefined) throw invalid('starting_after', 'must be the id of an account');
  return position;
}

function accountsRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listLedgerAccounts',
    summary: 'List ledger accounts with their balances',
    querystring: listAccountsQuery,
    response: { 200: listOf(accountSchema) },
  };
  scope.get('/ledger/accounts', { config, schema }, async ({ query }, reply) => {
    const { limit, merchant_id, mode: of, currency } = query;
    const filter = { merchantId: uuidOf('me', merchant_id), mode: of, currency };
    const page = { limit: limit + 1, after: positionOf(query.starting_after) };
    const rows = await accountPage(database, filter, page);
    return sendPage(reply, rows, limit, (row) => JSON.stringify(accountView(row)));
  });
}

const postingView = (posting: ListedPosting) => ({
  id: `${posting.sourceId}.${posting.kind}`,
  sourceId: posting.sourceId,
  kind: posting.kind,
  from: posting.fromAccount,
  to: posting.toAccount,
  amount: posting.amountMinor.toString(),
  currency: posting.currency,
  createdAt: new Date(posting.createdAtMs).toISOString(),
});

function postingsRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listPostings',
    summary: "List a merchant's postings, those of the newest payments first",
    querystring: listPostingsQuery,
    response: { 200: listOf(postingSchema) },
  };
  scope.get('/ledger/postings', { config, schema }, async ({ query }, reply) => {
    const tenant = await findTenant(database, uuidOf('me', query.merchant_id)!, query.mode);
    if (!tenant) throw notFound('merchant');
    const [sourceId, kind] = query.starting_after?.split('.') ?? [];
    const after = sourceId !== undefined && kind !== undefined ? { sourceId, kind } : undefined;
    const { limit } = query;
    const payment = uuidOf('pi', query.payment_id);
    const page = {
      limit: limit + 1,
      sourceIds: payment === undefined ? undefined : [payment],
      after,
    };
    const rows = await listPostings(database, tenant.id, page);
    return sendPage(reply, rows, limit, (row) => JSON.stringify(postingView(row)));
  });
}

interface Wrong {
  tenantId: string;
  paymentId: string;
  reason: string;
  operator: string;
  operatorTxId: string;
  currency: string;
  amountMinor: bigint;
  failureCode: string | null;
  createdAtMs: number;
}

/** How those of several tenants are shown. */
async function wrongView({ database }: AdminServices, items: readonly Wrong[]) {
  const tenants = await findTenants(database, [...new Set(items.map(({ tenantId }) => tenantId))]);
  const owners = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  return (item: Wrong) => {
    const owner = owners.get(item.tenantId);
    const { reason, operator, operatorTxId, currency, failureCode } = item;
    return {
      reason,
      operator,
      operatorTxId,
      currency,
      failureCode,
      paymentId: formatId('pi', item.paymentId),
      merchantId: owner ? formatId('me', owner.merchantId) : null,
      mode: owner?.mode ?? null,
      amount: item.amountMinor.toString(),
      createdAt: new Date(item.createdAtMs).toISOString(),
    };
  };
}

function suspenseRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listSuspense',
    summary: 'List what suspense holds, and what is missing in it, oldest first',
    querystring: listSuspenseQuery,
    response: { 200: listOf(suspenseSchema) },
  };
  scope.get('/suspense', { config: may('reviews.read'), schema }, async ({ query }, reply) => {
    const { limit, starting_after: after } = query;
    const startingAfter = after === undefined ? undefined : (parseId('re', after) ?? after);
    const items = await suspense(services.database, { limit, startingAfter });
    const view = await wrongView(services, items);
    return sendPage(reply, items, limit, (item) => {
      const id = item.status === null ? formatId('re', item.id) : item.id;
      return JSON.stringify({ id, ...view(item), status: item.status });
    });
  });
}

function reversalsRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listReversals',
    summary: 'List wrong debits on their way back, newest first',
    querystring: listReversalsQuery,
    response: { 200: listOf(reversalSchema) },
  };
  scope.get('/reversals', { config: may('reviews.read'), schema }, async ({ query }, reply) => {
    const { limit, status, starting_after: startingAfter } = query;
    const rows = await listReversals(services.database, { status, startingAfter, limit });
    const view = await wrongView(services, rows);
    return sendPage(reply, rows, limit, (row) => {
      const { id, status: now, operatorReversalId, byHand } = row;
      return JSON.stringify({ id, ...view(row), status: now, operatorReversalId, byHand });
    });
  });
}
