import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid, notFound } from '../../../platform/errors/errors.ts';
import { authorOf } from '../../../platform/http/author.ts';
import { actHeaders, requiredKeyHeaders } from '../../../platform/http/idempotency-key.ts';
import { rangedPageOf } from '../../../platform/http/list-range.ts';
import { readInTime } from '../../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import { idempotentRequest, withoutNulls } from '../../../platform/idempotency/idempotency.ts';
import { answerAct } from '../../../platform/idempotency/respond-once.ts';
import type { RunAct } from '../../../platform/idempotency/run-once.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { parseId } from '../../../platform/values/ids.ts';
import { meaningWithWallet } from '../../payments/wallet.ts';
import { listDisbursements } from '../list.ts';
import { rowFieldsOf, sendDisbursements } from '../routes.ts';
import { disbursementSchema, rowsOfBatchQuery } from '../schemas.ts';
import type { CountedBatch } from './batch.ts';
import { type CancelBatch, cancelledBatchThen } from './cancel.ts';
import { checkRows } from './check-rows.ts';
import type { CreateBatch, CreatedBatch } from './create.ts';
import { listBatches } from './list.ts';
import type { RetryBatch } from './retry.ts';
import { batchSchema, type CreateBatchBody, createBatchBody, listBatchesQuery } from './schemas.ts';
import { countedBatch, findBatch } from './store.ts';
import { batchJson, createdBatch } from './view.ts';

export interface BatchRouteDependencies {
  database: Database;
  createBatch: CreateBatch;
  retryBatch: RetryBatch;
  cancelBatch: CancelBatch;
  runAct: RunAct;
}

/** A thousand rows with texts and metadata. */
const mostBodyBytes = 4 * 1024 * 1024;
const tags = ['Disbursements'];
const idParams = Type.Object({ id: Type.String() });
const response = { 200: batchSchema };
const write = { permission: 'disbursements:write' };
const read = { permission: 'disbursements:read' };
const noun = 'disbursement batch';

/** Many disbursements in one request. */
export function disbursementBatchRoutes(
  scope: HttpScope,
  dependencies: BatchRouteDependencies,
): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  rowsRoute(scope, dependencies);
  cancelRoute(scope, dependencies);
  retryRoute(scope, dependencies);
}

const creationErrors = ['KEY_LIMIT_EXCEEDED' as const, 'IDEMPOTENCY_KEY_REUSED' as const];

function createRoute(scope: HttpScope, { createBatch }: BatchRouteDependencies) {
  const schema = {
    tags,
    operationId: 'createDisbursementBatch',
    summary: 'Send money to many wallets',
    description:
      'All rows are checked first: if one is wrong, the answer is 400 with the problems in details (at most 20), and nothing is created. Otherwise the batch is answered at once, and its disbursements are created in the background, in the order of the rows. A row that the balance does not cover becomes a FAILED disbursement, and the rest goes on. The body may have 4 MiB.',
    headers: requiredKeyHeaders,
    body: createBatchBody,
    response,
  };
  const config = { ...write, errors: ['NOT_FOUND' as const, ...creationErrors] };
  const options = { config, schema, bodyLimit: mostBodyBytes };
  scope.post('/disbursement_batches', options, async (request, reply) => {
    const { principal, body, headers } = request;
    const rows = await checkRows(body.items, rowFieldsOf);
    const { tenantId, mode, terms, key: apiKey } = principal;
    const created = await createBatch({
      tenantId,
      mode,
      terms,
      apiKey,
      rows,
      externalId: body.externalId ?? null,
      description: body.description ?? null,
      retryOf: batchIdOf(body.retryOf),
      idempotency: requestOf(headers['idempotency-key'], body),
    });
    return sendCreated(reply, created);
  });
}

/** @throws VALIDATION_ERROR an id that no batch can have */
function batchIdOf(given: string | null | undefined): string | null {
  if (typeof given !== 'string') return null;
  const id = parseId('dib', given);
  if (id === undefined) throw invalid('retryOf', 'must be an id that begins with dib_');
  return id;
}

function requestOf(key: string, body: CreateBatchBody) {
  const items = () => body.items.map((item) => withoutNulls(meaningWithWallet(item)));
  const request = idempotentRequest(key, body, () => ({ ...body, items: items() }));
  if (!request) throw invalid('Idempotency-Key', 'is required');
  return request;
}

function sendCreated(reply: FastifyReply, { batch, replayed }: CreatedBatch): FastifyReply {
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return sendBatch(reply, createdBatch(batch));
}

function sendBatch(reply: FastifyReply, batch: CountedBatch): FastifyReply {
  sendJson(reply, batchJson(batch));
  return reply;
}

function listRoute(scope: HttpScope, { database }: BatchRouteDependencies) {
  const schema = {
    tags,
    operationId: 'listDisbursementBatches',
    summary: 'List batches of disbursements, newest first',
    querystring: listBatchesQuery,
    response: { 200: listOf(batchSchema) },
  };
  const config = { ...read, rowBytes: 8 * 1024 };
  scope.get('/disbursement_batches', { config, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('dib', query);
    const filter = { status: query.status, externalId: query.external_id };
    const batches = await readInTime(database, query, [], (queryable) =>
      listBatches(queryable, principal.tenantId, filter, page),
    );
    return sendPage(reply, batches, page, batchJson);
  });
}

function getRoute(scope: HttpScope, { database }: BatchRouteDependencies) {
  const summary = 'Get a batch of disbursements';
  const schema = { tags, operationId: 'getDisbursementBatch', summary, params: idParams, response };
  scope.get('/disbursement_batches/:id', { config: read, schema }, async (request, reply) => {
    const batch = await batchOf(database, request);
    return sendBatch(reply, await countedBatch(database, batch));
  });
}

/** @throws NOT_FOUND the tenant has no batch with the id in the path */
async function batchOf(
  database: Database,
  { params, principal }: Pick<FastifyRequest<{ Params: { id: string } }>, 'params' | 'principal'>,
) {
  const batch = await findBatch(database, principal.tenantId, pathId('dib', params.id, noun));
  if (!batch) throw notFound(noun);
  return batch;
}

function rowsRoute(scope: HttpScope, { database }: BatchRouteDependencies) {
  const schema = {
    tags,
    operationId: 'listDisbursementsOfBatch',
    summary: 'List the disbursements of a batch, last row first',
    description: 'A row appears once its disbursement is created.',
    params: idParams,
    querystring: rowsOfBatchQuery,
    response: { 200: listOf(disbursementSchema) },
  };
  // Metadata has 64 KiB at most.
  const config = { ...read, rowBytes: 80 * 1024 };
  const options = { config, schema };
  scope.get('/disbursement_batches/:id/disbursements', options, async (request, reply) => {
    const { query, principal } = request;
    const page = rangedPageOf('di', query);
    const { id: batchId, tenantId } = await batchOf(database, request);
    const filter = { batchId, status: query.status };
    const rows = await readInTime(database, query, ['status'], (queryable) =>
      listDisbursements(queryable, tenantId, filter, page),
    );
    return sendDisbursements(reply, principal, rows, page);
  });
}

function cancelRoute(scope: HttpScope, dependencies: BatchRouteDependencies) {
  const schema = {
    tags,
    operationId: 'cancelDisbursementBatch',
    summary: 'Cancel a batch of disbursements',
    description:
      'Cancels every row that has not been sent to its operator; rows whose disbursement is not created yet never get one. Answers 409 if there is no such row.',
    headers: actHeaders,
    params: idParams,
    response,
  };
  const { cancelBatch, runAct, database } = dependencies;
  const config = {
    ...write,
    errors: ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const],
  };
  scope.post('/disbursement_batches/:id/cancel', { config, schema }, async (request, reply) => {
    const { params, principal } = request;
    const { tenantId } = principal;
    const id = pathId('dib', params.id, noun);
    const batch = await answerAct(runAct, request, reply, {
      route: 'disbursement_batches/cancel',
      subjectId: id,
      perform: (keep) => cancelBatch(tenantId, id, authorOf(request), keep),
      replay: (kept) => cancelledBatchThen(database, { tenantId, id }, kept),
    });
    return sendBatch(reply, batch);
  });
}

function retryRoute(scope: HttpScope, { retryBatch }: BatchRouteDependencies) {
  const schema = {
    tags,
    operationId: 'retryDisbursementBatch',
    summary: 'Try the failed rows of a batch again',
    description:
      'Creates a batch of those rows that have definitely failed. Answers 409 while rows of the batch are open, if none has failed, or if it has been tried again before.',
    headers: requiredKeyHeaders,
    params: idParams,
    response,
  };
  const config = { ...write, errors: ['INVALID_STATE' as const, ...creationErrors] };
  scope.post('/disbursement_batches/:id/retry', { config, schema }, async (request, reply) => {
    const { principal, params, headers } = request;
    const { tenantId, mode, terms, key: apiKey } = principal;
    const retried = await retryBatch({
      tenantId,
      mode,
      terms,
      apiKey,
      batchId: pathId('dib', params.id, noun),
      idempotencyKey: headers['idempotency-key'],
    });
    return sendCreated(reply, retried);
  });
}
