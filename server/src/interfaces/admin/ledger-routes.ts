import {
  type AccountPosition,
  accountId,
  accountIdPattern,
  accountPage,
  type Balance,
  parseAccountId,
} from '../../money/ledger/balances.ts';
import { type ListedPosting, listPostings } from '../../money/ledger/list-postings.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { listOf, pageLimit, sendPage } from '../../platform/http/lists.ts';
import { textOf } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { formatId, idPattern } from '../../platform/values/ids.ts';
import { mergeRows } from '../../tenants/cells/all-cells.ts';
import { findTenant } from '../../tenants/merchants/store.ts';
import { cell, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { instant, merchantId, minorUnits, mode, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Ledger'];

const accountSchema = Type.Object(
  {
    id: Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w.live.CVE.payable'] }),
    merchantId,
    merchantName: Type.String(),
    mode,
    account: Type.String({ examples: ['payable'] }),
    currency: Type.String(),
    balance: minorUnits('What the account holds', '9800'),
    cell,
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
export function ledgerRoutes(scope: HttpScope, services: AdminServices): void {
  accountsRoute(scope, services);
  postingsRoute(scope, services);
}

const accountView = ({ merchantId: id, balanceMinor, ...rest }: Balance) => ({
  id: accountId({ merchantId: id, ...rest }),
  ...rest,
  merchantId: formatId('me', id),
  balance: balanceMinor.toString(),
});

/** @throws VALIDATION_ERROR if the id looks like an account's id but is not */
function positionOf(id: string | undefined): AccountPosition | undefined {
  if (id === undefined) return undefined;
  const position = parseAccountId(id);
  if (position === undefined) throw invalid('starting_after', 'must be the id of an account');
  return position;
}

function accountsRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listLedgerAccounts',
    summary: 'List ledger accounts with their balances',
    querystring: listAccountsQuery,
    response: { 200: listOf(accountSchema) },
  };
  const config = may('ledger.read');
  scope.get('/ledger/accounts', { config, schema }, async ({ query }, reply) => {
    const { limit, merchant_id, mode: of, currency } = query;
    const filter = { merchantId: uuidOf('me', merchant_id), mode: of, currency };
    const page = { limit: limit + 1, after: positionOf(query.starting_after) };
    const rows = await everywhere(services, (database) => accountPage(database, filter, page));
    // All accounts of a merchant are in its cell, already sorted.
    const inOrder = mergeRows(rows, ({ merchantId: id }) => [id], { isNewestFirst: false });
    return sendPage(reply, inOrder, { limit }, (row) => JSON.stringify(accountView(row)));
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
  const config = may('ledger.read', 'NOT_FOUND');
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
    return sendPage(reply, rows, { limit }, (row) => JSON.stringify(postingView(row)));
  });
}
