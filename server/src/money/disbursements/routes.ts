import type { FastifyReply } from 'fastify';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { authorOf } from '../../platform/http/author.ts';
import { actHeaders, requiredKeyHeaders } from '../../platform/http/idempotency-key.ts';
import { metadataOf, rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { checkMetadata } from '../../platform/http/metadata.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { idempotentRequest } from '../../platform/idempotency/idempotency.ts';
import { answerAct } from '../../platform/idempotency/respond-once.ts';
import type { RunAct } from '../../platform/idempotency/run-once.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ListPage } from '../../platform/postgres/list-page.ts';
import { parseId } from '../../platform/values/ids.ts';
import { readsPhones } from '../../platform/values/phone.ts';
import { meaningWithWallet } from '../payments/wallet.ts';
import { type CancelDisbursement, cancelledThen } from './cancel.ts';
import type { CreateDisbursement } from './create.ts';
import type { Disbursement } from './disbursement.ts';
import { type DisbursementFilter, findDisbursementsByMetadata, listDisbursements } from './list.ts';
import {
  type CreateDisbursementBody,
  createDisbursementBody,
  disbursementSchema,
  listDisbursementsQuery,
} from './schemas.ts';
import { findDisbursement } from './store.ts';
import { disbursementJson, maskedDisbursementJson } from './view.ts';

export interface DisbursementRouteDependencies {
  database: Database;
  createDisbursement: CreateDisbursement;
  cancelDisbursement: CancelDisbursement;
  runAct: RunAct;
}

const tags = ['Disbursements'];
const idParams = Type.Object({ id: Type.String() });
const response = { 200: disbursementSchema };
const write = { permission: 'disbursements:write' };
const read = { permission: 'disbursements:read' };

/** Money from the balance to wallets. Switched off, the API still shows what was disbursed, and cancels. */
export function disbursementRoutes(
  scope: HttpScope,
  dependencies: DisbursementRouteDependencies,
): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  cancelRoute(scope, dependencies);
}

function createRoute(scope: HttpScope, { createDisbursement }: DisbursementRouteDependencies) {
  const schema = {
    tags,
    operationId: 'createDisbursement',
    summary: 'Send money to a wallet',
    description:
      'Amount and fee leave the balance at once, and the operator is asked in the background. Follow the disbursement by its events. Answers 403 unless the operator of the gateway has switched disbursements on, and allows the merchant to disburse with live keys.',
    headers: requiredKeyHeaders,
    body: createDisbursementBody,
    response,
  };
  const errors = [
    'INSUFFICIENT_BALANCE' as const,
    'KEY_LIMIT_EXCEEDED' as const,
    'IDEMPOTENCY_KEY_REUSED' as const,
  ];
  scope.post('/disbursements', { config: { ...write, errors }, schema }, async (request, reply) => {
    const { principal, body, headers } = request;
    const input = inputOf(principal, body, headers['idempotency-key']);
    const { disbursement, replayed } = await createDisbursement(input);
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    return sendDisbursement(reply, principal, disbursement);
  });
}

function listRoute(scope: HttpScope, { database }: DisbursementRouteDependencies) {
  const schema = {
    tags,
    operationId: 'listDisbursements',
    summary: 'List disbursements, newest first',
    querystring: listDisbursementsQuery,
    response: { 200: listOf(disbursementSchema) },
  };
  // Metadata has 64 KiB at most.
  const config = { ...read, rowBytes: 80 * 1024 };
  scope.get('/disbursements', { config, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('di', query);
    const { tenantId } = principal;
    const { batch_id: batch } = query;
    const filter: DisbursementFilter = {
      status: query.status,
      operator: query.operator,
      currency: query.currency,
      batchId: batch === undefined ? undefined : parseId('dib', batch),
      customerId: query.customer_id,
      externalId: query.external_id,
    };
    const metadata = metadataOf(query, page);
    if (metadata)
      filter.ids = await findDisbursementsByMetadata(database, tenantId, filter, page, metadata);
    const rows = await readInTime(database, query, ['status'], (queryable) =>
      listDisbursements(queryable, tenantId, filter, page),
    );
    return sendDisbursements(reply, principal, rows, page);
  });
}

function getRoute(scope: HttpScope, { database }: DisbursementRouteDependencies) {
  const summary = 'Get a disbursement';
  const schema = { tags, operationId: 'getDisbursement', summary, params: idParams, response };
  scope.get(
    '/disbursements/:id',
    { config: read, schema },
    async ({ params, principal }, reply) => {
      const id = pathId('di', params.id, 'disbursement');
      const disbursement = await findDisbursement(database, principal.tenantId, id);
      if (!disbursement) throw notFound('disbursement');
      return sendDisbursement(reply, principal, disbursement);
    },
  );
}

function cancelRoute(scope: HttpScope, dependencies: DisbursementRouteDependencies) {
  const schema = {
    tags,
    operationId: 'cancelDisbursement',
    summary: 'Cancel a disbursement',
    description:
      'Possible until it is sent to the operator. Amount and fee go back to the balance.',
    headers: actHeaders,
    params: idParams,
    response,
  };
  const { cancelDisbursement, runAct, database } = dependencies;
  const errors = ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
  const config = { ...write, errors };
  scope.post('/disbursements/:id/cancel', { config, schema }, async (request, reply) => {
    const { params, principal } = request;
    const { tenantId } = principal;
    const id = pathId('di', params.id, 'disbursement');
    const disbursement = await answerAct(runAct, request, reply, {
      route: 'disbursements/cancel',
      subjectId: id,
      perform: (keep) => cancelDisbursement(tenantId, id, authorOf(request), keep),
      replay: (kept) => cancelledThen(database, { tenantId, id }, kept),
    });
    return sendDisbursement(reply, principal, disbursement);
  });
}

const jsonFor = ({ permissions }: Principal) =>
  permissions.has(readsPhones) ? disbursementJson : maskedDisbursementJson;

/** Sends a page of disbursements; phones are masked for a key that may not read them. */
export const sendDisbursements = (
  reply: FastifyReply,
  principal: Principal,
  rows: readonly Disbursement[],
  page: ListPage,
): FastifyReply => sendPage(reply, rows, page, jsonFor(principal));

function sendDisbursement(
  reply: FastifyReply,
  principal: Principal,
  disbursement: Disbursement,
): FastifyReply {
  sendJson(reply, jsonFor(principal)(disbursement));
  return reply;
}

function inputOf(
  { tenantId, mode, terms, key: apiKey }: Principal,
  body: CreateDisbursementBody,
  key: string,
) {
  const idempotency = idempotentRequest(key, body, () => meaningWithWallet(body));
  if (!idempotency) throw invalid('Idempotency-Key', 'is required');
  return { tenantId, mode, ...rowFieldsOf(body), apiKey, terms, idempotency };
}

/** What a request says of one disbursement, alone or in a batch. @throws VALIDATION_ERROR metadata */
export function rowFieldsOf(body: CreateDisbursementBody) {
  return {
    amountMinor: BigInt(body.amount),
    operator: body.operator,
    operatorPhone: body.operatorPhone,
    currency: body.currency ?? null,
    externalId: body.externalId ?? null,
    customerId: body.customerId ?? null,
    description: body.description ?? null,
    statementDescriptor: body.statementDescriptor ?? null,
    metadata: body.metadata ? checkMetadata(body.metadata) : null,
  };
}
