import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { requestHash } from '../platform/canonical-json.ts';
import type { Database } from '../platform/database.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { listOf, page, parseStartingAfter, pathId } from '../platform/http/lists.ts';
import { checkMetadata } from '../platform/http/metadata.ts';
import type { Principal } from '../platform/http/principal.ts';
import { type HttpScope, sendJson } from '../platform/http/server.ts';
import type { CancelPayment } from './cancel.ts';
import type { ConfirmPayment } from './confirm.ts';
import type { CreatePayment } from './create.ts';
import { listPayments } from './list.ts';
import {
  type CreatePaymentBody,
  createPaymentBody,
  idempotencyHeaders,
  listPaymentsQuery,
  paymentSchema,
} from './schemas.ts';
import { findPayment } from './store.ts';
import { paymentView } from './view.ts';

export interface PaymentRouteParts {
  database: Database;
  createPayment: CreatePayment;
  cancelPayment: CancelPayment;
  confirmPayment: ConfirmPayment;
}

const tags = ['Payments'];
const idParams = Type.Object({ id: Type.String() });
const response = { 200: paymentSchema };

export function paymentRoutes(scope: HttpScope, parts: PaymentRouteParts): void {
  scope.post(
    '/payments',
    {
      config: { permission: 'payments:write', errors: ['IDEMPOTENCY_KEY_REUSED'] },
      schema: {
        ...{ tags, response, body: createPaymentBody, headers: idempotencyHeaders },
        summary: 'Create a payment',
        description:
          'The debit is asked for at once and in the background: follow the payment by its events.',
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      await create(parts, request.principal, request.body, key, reply);
      return reply;
    },
  );

  scope.get(
    '/payments',
    {
      config: { permission: 'payments:read' },
      schema: {
        ...{ tags, querystring: listPaymentsQuery, response: { 200: listOf(paymentSchema) } },
        summary: 'List payments, newest first',
      },
    },
    async ({ query, principal }) => {
      const rows = await listPayments(
        parts.database,
        principal.tenantId,
        {
          status: query.status,
          operator: query.operator,
          currency: query.currency,
          customerId: query.customer_id,
          externalId: query.external_id,
          createdFromMs: instantMs('created_gte', query.created_gte),
          createdUntilMs: instantMs('created_lte', query.created_lte),
        },
        { limit: query.limit, startingAfter: parseStartingAfter('pi', query.starting_after) },
      );
      return page(rows, query.limit, paymentView);
    },
  );

  scope.get(
    '/payments/:id',
    {
      config: { permission: 'payments:read' },
      schema: { tags, params: idParams, response, summary: 'Get a payment' },
    },
    async ({ params, principal }) => {
      const id = pathId('pi', params.id, 'payment');
      const payment = await findPayment(parts.database, principal.tenantId, id);
      if (!payment) throw notFound('payment');
      return paymentView(payment);
    },
  );

  scope.post(
    '/payments/:id/cancel',
    {
      config: { permission: 'payments:write', errors: ['INVALID_STATE'] },
      schema: {
        ...{ tags, params: idParams, response },
        summary: 'Cancel a payment',
        description: 'Possible until the customer has been debited.',
      },
    },
    async ({ params, principal }) => {
      const id = pathId('pi', params.id, 'payment');
      return paymentView(await parts.cancelPayment(principal.tenantId, id));
    },
  );

  scope.post(
    '/payments/:id/confirm',
    {
      config: { permission: 'payments:write', errors: ['INVALID_STATE'] },
      schema: {
        ...{ tags, params: idParams, response },
        summary: 'Confirm a test payment',
        description: 'Plays the customer who enters the PIN. Only with a test key.',
      },
    },
    async ({ params, principal }) => {
      const id = () => pathId('pi', params.id, 'payment');
      return paymentView(await parts.confirmPayment(principal, id));
    },
  );
}

async function create(
  parts: PaymentRouteParts,
  { tenantId, mode }: Principal,
  body: CreatePaymentBody,
  key: string | undefined,
  reply: FastifyReply,
): Promise<void> {
  const created = await parts.createPayment({
    tenantId,
    mode,
    amountMinor: BigInt(body.amount),
    operator: body.operator,
    operatorPhone: body.operatorPhone,
    currency: body.currency ?? null,
    externalId: body.externalId ?? null,
    customerId: body.customerId ?? null,
    description: body.description ?? null,
    statementDescriptor: body.statementDescriptor ?? null,
    metadata: body.metadata ? checkMetadata(body.metadata) : null,
    idempotency: key === undefined ? null : { key, requestHash: requestHash(body) },
  });
  if (created.replayed) reply.header('Idempotent-Replayed', 'true');
  sendJson(reply, created.json);
}

const instantPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function instantMs(parameter: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = instantPattern.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw invalid(parameter, 'must be an ISO 8601 date-time with a time zone');
  return ms;
}
