import { notFound } from '../../platform/errors/errors.ts';
import { authorOf } from '../../platform/http/author.ts';
import { idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { balanceOf, balanceView } from './balance.ts';
import type { ProcessSettlement } from './create.ts';
import { settlementItemRoutes } from './items/routes.ts';
import { balanceSchema, listSettlementsQuery, processBody, settlementSchema } from './schemas.ts';
import { creationJson, type Settlement, settlementView } from './settlement.ts';
import { statementRoutes } from './statement/routes.ts';
import { findSettlement, listSettlements } from './store.ts';

export interface SettlementRouteDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  processSettlement: ProcessSettlement;
}

const tags = ['Settlements'];
const read = { permission: 'settlements:read' };

export function settlementRoutes(
  scope: HttpScope,
  dependencies: SettlementRouteDependencies,
): void {
  processRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  balanceRoute(scope, dependencies);
  settlementItemRoutes(scope, dependencies);
  statementRoutes(scope, dependencies);
}

const view = (settlement: Settlement) => {
  const { currency, ...rest } = settlementView(settlement);
  return { ...rest, currency: currency as 'CVE' | 'AOA' };
};

function processRoute(scope: HttpScope, { processSettlement }: SettlementRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'processSettlement',
    summary: 'Settle what is payable',
    description:
      'Without a currency, settles the one with the oldest unsettled debit. Repeat until the answer is 204: nothing is left to settle.',
    headers: idempotencyHeaders,
    body: Type.Union([processBody, Type.Null()]),
    response: {
      200: settlementSchema,
      204: Type.Null({ description: 'There is nothing to settle.' }),
    },
  };
  const errors = ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
  const config = { permission: 'settlements:write', errors };
  scope.post('/settlements/process', { config, schema }, async (request, reply) => {
    const { body, headers, principal } = request;
    const processed = await processSettlement({
      tenantId: principal.tenantId,
      merchantId: principal.merchantId,
      currency: body?.currency ?? null,
      idempotencyKey: headers['idempotency-key'] ?? null,
      author: authorOf(request),
    });
    if (!processed) return reply.code(204).send(null);
    if (processed.replayed) reply.header('Idempotent-Replayed', 'true');
    sendJson(reply, creationJson(processed.settlement));
    return reply;
  });
}

function listRoute(scope: HttpScope, { database }: SettlementRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'listSettlements',
    summary: 'List settlements, newest first',
    querystring: listSettlementsQuery,
    response: { 200: listOf(settlementSchema) },
  };
  scope.get(
    '/settlements',
    { config: { ...read, rowBytes: 2 * 1024 }, schema },
    async ({ query, principal }, reply) => {
      const page = rangedPageOf('se', query);
      const rows = await readInTime(database, query, ['status'], (queryable) =>
        listSettlements(queryable, principal.tenantId, query.status, page),
      );
      return sendPage(reply, rows, page, (row) => JSON.stringify(view(row)));
    },
  );
}

function getRoute(scope: HttpScope, { database }: SettlementRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'getSettlement',
    summary: 'Get a settlement',
    params: Type.Object({ id: Type.String() }),
    response: { 200: settlementSchema },
  };
  scope.get('/settlements/:id', { config: read, schema }, async ({ params, principal }) => {
    const id = pathId('se', params.id, 'settlement');
    const settlement = await findSettlement(database, principal.tenantId, id);
    if (!settlement) throw notFound('settlement');
    return view(settlement);
  });
}

function balanceRoute(scope: HttpScope, { database }: SettlementRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'getBalance',
    summary: 'Get the balance by currency',
    response: { 200: balanceSchema },
  };
  scope.get('/balance', { config: read, schema }, async ({ principal }) => ({
    data: (await balanceOf(database, principal.tenantId)).map(balanceView),
  }));
}
