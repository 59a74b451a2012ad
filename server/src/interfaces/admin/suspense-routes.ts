import { type SuspenseItem, suspense, suspenseSince } from '../../money/ledger/suspense.ts';
import { listReversals } from '../../money/reversals/list.ts';
import { type Reversal, reversalStatuses } from '../../money/reversals/reversal.ts';
import { listOf, pageLimit, sendPage } from '../../platform/http/lists.ts';
import { nullable, textOf } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { formatId, idPattern, parseId } from '../../platform/values/ids.ts';
import { lastOfPage, mergeRows } from '../../tenants/cells/all-cells.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { findTenants } from '../../tenants/merchants/store.ts';
import { cell, cellOf, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { instant, merchantId, minorUnits, mode } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Ledger'];
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

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
      textOf(
        `^${uuid}$|${idPattern('re')}|${idPattern('di')}`,
        'must be the id of an item of this list',
        {
          description: 'The id of the last item of the previous page.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);

const wrongDebit = {
  merchantId: nullable(merchantId),
  mode: nullable(mode),
  reason: Type.String({ examples: ['LATE_DEBIT'] }),
  operator: Type.String(),
  operatorTxId: Type.String(),
  currency: Type.String(),
  amount: minorUnits('The amount that it moved', '10000'),
  failureCode: nullable(Type.String()),
  createdAt: instant,
  cell,
};
const suspenseSchema = Type.Object(
  {
    id: Type.String({
      description: 'The UUID of the reversal, or the id of the refund or disbursement',
    }),
    paymentId: nullable(Type.String({ description: 'Null for a disbursement' })),
    ...wrongDebit,
    status: nullable(
      Type.String({ description: 'Of the reversal; null for a refund or disbursement' }),
    ),
  },
  { title: 'SuspenseItem' },
);
const reversalSchema = Type.Object(
  {
    id: Type.String(),
    paymentId: Type.String(),
    ...wrongDebit,
    status: Type.Enum([...reversalStatuses], { title: 'ReversalStatus' }),
    operatorReversalId: nullable(Type.String()),
    byHand: Type.Boolean({ description: 'A person recorded the outcome' }),
  },
  { title: 'Reversal' },
);

/** Debits that do not belong to the merchant, being returned or held. */
export function suspenseRoutes(scope: HttpScope, services: AdminServices): void {
  suspenseRoute(scope, services);
  reversalsRoute(scope, services);
}

interface Wrong extends InCell {
  tenantId: string;
  reason: string;
  operator: string;
  operatorTxId: string;
  currency: string;
  amountMinor: bigint;
  failureCode: string | null;
  createdAtMs: number;
}

/** How reversals of several tenants are shown. */
async function wrongView(services: AdminServices, items: readonly Wrong[]) {
  const ids = [...new Set(items.map(({ tenantId }) => tenantId))];
  const tenants = await everywhere(services, (database) => findTenants(database, ids));
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
      merchantId: owner ? formatId('me', owner.merchantId) : null,
      mode: owner?.mode ?? null,
      amount: item.amountMinor.toString(),
      createdAt: new Date(item.createdAtMs).toISOString(),
      ...cellOf(item),
    };
  };
}

const placeOf = ({ createdAtMs, id }: { createdAtMs: number; id: string }) => [createdAtMs, id];

function idOf({ id, status, paymentId }: SuspenseItem): string {
  if (status !== null) return id;
  return formatId(paymentId === null ? 'di' : 're', id);
}

function suspenseRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listSuspense',
    summary: 'List the items that suspense holds or lacks, oldest first',
    querystring: listSuspenseQuery,
    response: { 200: listOf(suspenseSchema) },
  };
  scope.get('/suspense', { config: may('reviews.read'), schema }, async ({ query }, reply) => {
    const { limit, starting_after: after } = query;
    const startingAfter = after && (parseId('re', after) ?? parseId('di', after) ?? after);
    const last = await lastOfPage(services, startingAfter, suspenseSince);
    const page = { limit, startingAfter, afterMs: last?.sinceMs };
    const rows = await everywhere(services, (database) => suspense(database, page));
    const items = mergeRows(rows, placeOf, { isNewestFirst: false });
    const view = await wrongView(services, items);
    const jsonOf = (item: SuspenseItem & InCell) => {
      const paymentId = item.paymentId === null ? null : formatId('pi', item.paymentId);
      return JSON.stringify({ id: idOf(item), paymentId, ...view(item), status: item.status });
    };
    return sendPage(reply, items, { limit }, jsonOf);
  });
}

function reversalsRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listReversals',
    summary: 'List wrong debits that are being returned, newest first',
    querystring: listReversalsQuery,
    response: { 200: listOf(reversalSchema) },
  };
  scope.get('/reversals', { config: may('reviews.read'), schema }, async ({ query }, reply) => {
    const { limit, status, starting_after: startingAfter } = query;
    const last = await lastOfPage(services, startingAfter, suspenseSince);
    const page = { status, startingAfter, limit, afterMs: last?.sinceMs };
    const rows = await everywhere(services, (database) => listReversals(database, page));
    const reversals = mergeRows(rows, placeOf);
    const view = await wrongView(services, reversals);
    const jsonOf = (row: Reversal & InCell) => {
      const { id, status: now, operatorReversalId, byHand } = row;
      const paymentId = formatId('pi', row.paymentId);
      return JSON.stringify({
        id,
        paymentId,
        ...view(row),
        status: now,
        operatorReversalId,
        byHand,
      });
    };
    return sendPage(reply, reversals, { limit }, jsonOf);
  });
}
