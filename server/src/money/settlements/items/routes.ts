import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { csvLine } from '../../../platform/formats/csv.ts';
import { authorOf } from '../../../platform/http/author.ts';
import { rangeOf } from '../../../platform/http/list-range.ts';
import { listOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import { weightOf } from '../../../platform/http/memory-limit.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Ids } from '../../../platform/values/ids.ts';
import { listItemsQuery, settlementItemSchema } from '../schemas.ts';
import { findSettlement } from '../store.ts';
import { itemRangeOf, itemView, listItems, positionOf, type SettlementItem } from './list.ts';

const tags = ['Settlements'];
const params = Type.Object({ id: Type.String() });
const config = { permission: 'settlements:read' };

export interface SettlementItemDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
}

export function settlementItemRoutes(
  scope: HttpScope,
  dependencies: SettlementItemDependencies,
): void {
  listRoute(scope, dependencies.database);
  csvRoute(scope, dependencies);
}

/** @throws NOT_FOUND */
async function settlementOf(database: Database, tenantId: string, pathText: string) {
  const id = pathId('se', pathText, 'settlement');
  if (!(await findSettlement(database, tenantId, id))) throw notFound('settlement');
  return { tenantId, id };
}

function listRoute(scope: HttpScope, database: Database): void {
  const schema = {
    tags,
    operationId: 'listSettlementItems',
    summary: 'List the payments, refunds and disbursements in a settlement, newest first',
    description:
      'The netAmount of all items adds up to that of the settlement. A FAILED settlement has no items: they move to a later settlement.',
    params,
    querystring: listItemsQuery,
    response: { 200: listOf(settlementItemSchema) },
  };
  scope.get('/settlements/:id/items', { config, schema }, async (request, reply) => {
    const page = rangeOf(request.query);
    const settlement = await settlementOf(database, request.principal.tenantId, request.params.id);
    const items = await listItems(database, settlement, itemRangeOf(page), page.limit);
    return sendPage(reply, items, page, (item) => JSON.stringify(itemView(item)));
  });
}

function csvRoute(scope: HttpScope, dependencies: SettlementItemDependencies): void {
  const { database } = dependencies;
  const schema = {
    tags,
    operationId: 'getSettlementItemsCsv',
    summary: 'Download the payments, refunds and disbursements in a settlement as CSV',
    description: 'All items, newest first, with a header line. Amounts are in centavos.',
    params,
    response: {
      200: { description: 'The file.', content: { 'text/csv': { schema: Type.String() } } },
    },
  };
  scope.get('/settlements/:id/items.csv', { config, schema }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const { tenantId } = request.principal;
    const settlement = await settlementOf(database, tenantId, id);
    const record = { tenantId, action: 'settlement.exported', subject: id } as const;
    // Audited first: nothing leaves without a record.
    await writeAuditRecord(database, { ...dependencies, ...authorOf(request) }, record);
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="${id}.csv"`);
    const charge = (tokens: number) => scope.chargeTenant(tenantId, tokens);
    const chunks = weighed(csvOf(database, settlement), charge);
    return (reply as FastifyReply).send(Readable.from(chunks));
  });
}

type View = ReturnType<typeof itemView>;

const columns = {
  id: 'id',
  type: 'type',
  payment_intent_id: 'paymentIntentId',
  refund_id: 'refundId',
  amount: 'amount',
  fee_amount: 'feeAmount',
  net_amount: 'netAmount',
  currency: 'currency',
  created_at: 'createdAt',
  disbursement_id: 'disbursementId',
} as const satisfies Record<string, keyof View>;

const chunkSize = 500;

/** The next rows are read when the previous ones have been sent, so that memory holds no more than these. */
async function* csvOf(
  database: Database,
  settlement: { tenantId: string; id: string },
): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns));
  let last: SettlementItem | undefined;
  for (;;) {
    const items = await listItems(database, settlement, last ?? positionOf(undefined), chunkSize);
    const chunk = items.slice(0, chunkSize);
    last = chunk.at(-1);
    if (last === undefined) return;
    yield chunk.map((item) => lineOf(itemView(item))).join('');
    if (items.length <= chunkSize) return;
  }
}

/** Charges the rate limit as the file leaves: a client that disconnects early has paid for the rows made so far. */
async function* weighed(chunks: AsyncGenerator<string>, charge: (tokens: number) => void) {
  let bytes = 0;
  for await (const chunk of chunks) {
    const paid = weightOf(bytes);
    bytes += Buffer.byteLength(chunk);
    charge(weightOf(bytes) - paid);
    yield chunk;
  }
}

const lineOf = (view: View) => csvLine(Object.values(columns).map((field) => view[field] ?? ''));
