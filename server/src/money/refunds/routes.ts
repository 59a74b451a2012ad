import { notFound } from '../../platform/errors/errors.ts';
import { idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { metadataOf, rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { checkMetadata } from '../../platform/http/metadata.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { idempotentRequest } from '../../platform/idempotency/idempotency.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseId } from '../../platform/values/ids.ts';
import type { CreateRefund } from './create.ts';
import type { CreateRefundInput } from './creation.ts';
import {
  type CreateRefundBody,
  createRefundBody,
  listRefundsQuery,
  refundSchema,
} from './schemas.ts';
import { findRefund, findRefundsByMetadata, listRefunds, type RefundFilter } from './store.ts';
import { refundView } from './view.ts';

export interface RefundRouteDependencies {
  database: Database;
  createRefund: CreateRefund;
}

const tags = ['Refunds'];
/** Filters that may take long. */
const unlimited = ['status', 'payment_intent_id'];
const response = { 200: refundSchema };

export function refundRoutes(scope: HttpScope, dependencies: RefundRouteDependencies): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
}

function createRoute(scope: HttpScope, { createRefund }: RefundRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'createRefund',
    summary: 'Refund a payment in full or in part',
    description:
      'The operator is asked for the refund in the background. Follow the refund by its events. The fee is not returned.',
    headers: idempotencyHeaders,
    body: createRefundBody,
    response,
  };
  const errors = [
    'NOT_FOUND' as const,
    'FORBIDDEN' as const,
    'INVALID_STATE' as const,
    'REFUND_EXCEEDS_PAYMENT' as const,
    'KEY_LIMIT_EXCEEDED' as const,
    'IDEMPOTENCY_KEY_REUSED' as const,
  ];
  const config = { permission: 'refunds:write', errors, takesTurnsBeneath: true };
  scope.post('/refunds', { config, schema }, async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const input = inputOf(request.principal, request.body, key);
    const created = await createRefund(input);
    if (created.replayed) reply.header('Idempotent-Replayed', 'true');
    sendJson(reply, created.json);
    return reply;
  });
}

function listRoute(scope: HttpScope, { database }: RefundRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'listRefunds',
    summary: 'List refunds, newest first',
    querystring: listRefundsQuery,
    response: { 200: listOf(refundSchema) },
  };
  const config = { permission: 'refunds:read', rowBytes: 8 * 1024 };
  scope.get('/refunds', { config, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('re', query);
    const { status, payment_intent_id: payment } = query;
    const paymentId = payment === undefined ? undefined : parseId('pi', payment);
    // A malformed id names no payment, so no refund belongs to it.
    if (payment !== undefined && paymentId === undefined) return { data: [], hasMore: false };
    const { tenantId } = principal;
    const filter: RefundFilter = { status, paymentId };
    const metadata = metadataOf(query, page);
    if (metadata)
      filter.ids = await findRefundsByMetadata(database, tenantId, filter, page, metadata);
    const rows = await readInTime(database, query, unlimited, (queryable) =>
      listRefunds(queryable, tenantId, filter, page),
    );
    return sendPage(reply, rows, page, (row) => JSON.stringify(refundView(row)));
  });
}

function getRoute(scope: HttpScope, { database }: RefundRouteDependencies): void {
  const params = Type.Object({ id: Type.String() });
  const schema = { tags, operationId: 'getRefund', summary: 'Get a refund', params, response };
  const config = { permission: 'refunds:read' };
  scope.get('/refunds/:id', { config, schema }, async ({ params: { id }, principal }) => {
    const refund = await findRefund(database, principal.tenantId, pathId('re', id, 'refund'));
    if (!refund) throw notFound('refund');
    return refundView(refund);
  });
}

function inputOf(
  { tenantId, mode, terms, key: apiKey }: Principal,
  body: CreateRefundBody,
  key: string | undefined,
): CreateRefundInput {
  const { amount, reason, metadata } = body;
  return {
    tenantId,
    mode,
    paymentId: pathId('pi', body.paymentIntentId, 'payment'),
    amountMinor: amount === undefined || amount === null ? null : BigInt(amount),
    reason: reason ?? null,
    metadata: metadata ? checkMetadata(metadata) : null,
    apiKey,
    terms,
    idempotency: idempotentRequest(key, body, () => body),
  };
}
