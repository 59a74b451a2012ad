import type { FastifyReply } from 'fastify';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { requirePermission } from '../../platform/http/auth.ts';
import { authorOf } from '../../platform/http/author.ts';
import { actHeaders, idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
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
import type { KeepAnswer, RunAct } from '../../platform/idempotency/run-once.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ListPage } from '../../platform/postgres/list-page.ts';
import { parseId } from '../../platform/values/ids.ts';
import { maskJson, normalizePhone, phoneRule, readsPhones } from '../../platform/values/phone.ts';
import type { CancelPayment } from './cancel.ts';
import type { ConfirmPayment } from './confirm.ts';
import type { CreatePayment } from './create.ts';
import { findPaymentsOfTransaction } from './find-by-transaction.ts';
import { findPaymentsByMetadata, listPayments, type PaymentFilter } from './list.ts';
import type { ShownPayment } from './payment.ts';
import type { ReadPayment } from './read.ts';
import { paymentThen } from './response-snapshot.ts';
import { maxLookedThrough, tooMany } from './scan-limit.ts';
import {
  type CreatePaymentBody,
  createPaymentBody,
  type ListPaymentsQuery,
  listPaymentsQuery,
  paymentSchema,
} from './schemas.ts';
import { paymentJson } from './view.ts';
import { meaningWithWallet } from './wallet.ts';

export interface PaymentRouteDependencies {
  database: Database;
  createPayment: CreatePayment;
  readPayment: ReadPayment;
  cancelPayment: CancelPayment;
  confirmPayment: ConfirmPayment;
  runAct: RunAct;
}

const tags = ['Payments'];
/** Filters that may take long. */
const unlimited = [
  'status',
  'operator',
  'currency',
  'customer_id',
  'external_id',
  'created_gte',
  'created_lte',
];
const idParams = Type.Object({ id: Type.String() });
const response = { 200: paymentSchema };
const actErrors = ['INVALID_STATE' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
const actConfig = { permission: 'payments:write', errors: actErrors };

export function paymentRoutes(scope: HttpScope, dependencies: PaymentRouteDependencies): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  cancelRoute(scope, dependencies);
  confirmRoute(scope, dependencies);
}

function createRoute(scope: HttpScope, dependencies: PaymentRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'createPayment',
    summary: 'Create a payment',
    description:
      'The operator is asked for the debit at once, in the background. Follow the payment by its events. The currency defaults to that of the phone’s country, and with a live key it must be that one.',
    headers: idempotencyHeaders,
    body: createPaymentBody,
    response,
  };
  const errors = ['KEY_LIMIT_EXCEEDED' as const, 'IDEMPOTENCY_KEY_REUSED' as const];
  const config = { permission: 'payments:write', errors, takesTurnsBeneath: true };
  scope.post('/payments', { config, schema }, async (request, reply) => {
    const key = request.headers['idempotency-key'];
    await create(dependencies, request.principal, request.body, key, reply);
    return reply;
  });
}

function listRoute(scope: HttpScope, { database }: PaymentRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'listPayments',
    summary: 'List payments, newest first',
    querystring: listPaymentsQuery,
    response: { 200: listOf(paymentSchema) },
  };
  // Metadata has 64 KiB at most.
  const config = { permission: 'payments:read', rowBytes: 80 * 1024 };
  scope.get('/payments', { config, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('pi', query);
    const { tenantId } = principal;
    const filter = filterOf(query, principal);
    const metadata = metadataOf(query, page);
    const { operator_tx_id: transaction } = query;
    if (transaction !== undefined)
      filter.ids = await findPaymentsOfTransaction(database, principal, transaction);
    await refuseWideScan(database, tenantId, filter, page);
    if (metadata)
      filter.ids = await findPaymentsByMetadata(database, tenantId, filter, page, metadata);
    const rows = await readInTime(database, query, unlimited, (queryable) =>
      listPayments(queryable, tenantId, filter, page),
    );
    return sendPage(reply, rows, page, jsonFor(principal));
  });
}

function getRoute(scope: HttpScope, { readPayment }: PaymentRouteDependencies): void {
  const summary = 'Get a payment';
  const schema = { tags, operationId: 'getPayment', summary, params: idParams, response };
  const config = { permission: 'payments:read' };
  scope.get('/payments/:id', { config, schema }, async ({ params, principal }, reply) => {
    const id = pathId('pi', params.id, 'payment');
    const payment = await readPayment(principal.tenantId, id);
    if (!payment) throw notFound('payment');
    return sendPayment(reply, principal, payment);
  });
}

function cancelRoute(scope: HttpScope, dependencies: PaymentRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'cancelPayment',
    summary: 'Cancel a payment',
    description: 'Possible until the customer has been debited.',
    headers: actHeaders,
    params: idParams,
    response,
  };
  const { cancelPayment, runAct, database } = dependencies;
  scope.post('/payments/:id/cancel', { config: actConfig, schema }, async (request, reply) => {
    const { params, principal } = request;
    const { tenantId } = principal;
    const id = pathId('pi', params.id, 'payment');
    const payment = await answerAct(runAct, request, reply, {
      route: 'payments/cancel',
      subjectId: id,
      perform: (keep) => cancelPayment(tenantId, id, authorOf(request), keep),
      replay: (kept) => paymentThen(database, { tenantId, id }, kept),
    });
    return sendPayment(reply, principal, payment);
  });
}

function confirmRoute(scope: HttpScope, dependencies: PaymentRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'confirmPayment',
    summary: 'Confirm a test payment',
    description: 'Does what the customer does by entering the PIN. Only with a test key.',
    headers: actHeaders,
    params: idParams,
    response,
  };
  const { confirmPayment, runAct, database } = dependencies;
  scope.post('/payments/:id/confirm', { config: actConfig, schema }, async (request, reply) => {
    const { params, principal } = request;
    const { tenantId } = principal;
    const id = () => pathId('pi', params.id, 'payment');
    const confirm = (keep?: KeepAnswer) => confirmPayment(principal, id, authorOf(request), keep);
    // Refused before the answer reveals anything about the id.
    if (principal.mode === 'live') return sendPayment(reply, principal, await confirm());
    const payment = await answerAct(runAct, request, reply, {
      route: 'payments/confirm',
      subjectId: id(),
      perform: confirm,
      replay: (kept) => paymentThen(database, { tenantId, id: id() }, kept),
    });
    return sendPayment(reply, principal, payment);
  });
}

const maySee = ({ permissions }: Principal) => permissions.has(readsPhones);
const jsonFor = (principal: Principal) =>
  maySee(principal) ? paymentJson : (payment: ShownPayment) => maskJson(paymentJson(payment));

function sendPayment(
  reply: FastifyReply,
  principal: Principal,
  payment: ShownPayment,
): FastifyReply {
  sendJson(reply, jsonFor(principal)(payment));
  return reply;
}

function filterOf(query: ListPaymentsQuery, principal: Principal): PaymentFilter {
  const { checkout_session_id: session } = query;
  return {
    status: query.status,
    operator: query.operator,
    currency: query.currency,
    customerId: query.customer_id,
    externalId: query.external_id,
    amountFromMinor: optionalAmount(query.amount_gte),
    amountUntilMinor: optionalAmount(query.amount_lte),
    operatorPhone: phoneFilter(query.operator_phone, principal),
    checkoutSessionId: session === undefined ? undefined : parseId('cs', session),
  };
}

const optionalAmount = (centavos: number | undefined) =>
  centavos === undefined ? undefined : BigInt(centavos);

/** @throws FORBIDDEN, or VALIDATION_ERROR what is no phone */
function phoneFilter(typed: string | undefined, principal: Principal): string | undefined {
  if (typed === undefined) return undefined;
  // Others could try all phones that fit a masked one.
  requirePermission(principal, readsPhones);
  // In a query, a plus that is not percent-encoded means a space.
  const phone = normalizePhone(typed.replace(/^ /, '+'));
  if (phone === undefined) throw invalid('operator_phone', phoneRule);
  return phone;
}

/** Amounts have no index: the payments between the dates are looked through. @throws VALIDATION_ERROR too many */
async function refuseWideScan(
  database: Database,
  tenantId: string,
  filter: PaymentFilter,
  page: ListPage,
): Promise<void> {
  if (filter.amountFromMinor === undefined && filter.amountUntilMinor === undefined) return;
  const { createdFromMs, createdUntilMs, limit } = page;
  const range = { ...filter, createdFromMs, createdUntilMs };
  const all = await tooMany(database, tenantId, range, limit);
  if (all === undefined) return;
  throw invalid(
    'created_gte',
    `must be later, or created_lte earlier: ${all} payments were made between them, and a filter by amount looks through at most ${maxLookedThrough}`,
  );
}

async function create(
  dependencies: PaymentRouteDependencies,
  principal: Principal,
  body: CreatePaymentBody,
  key: string | undefined,
  reply: FastifyReply,
): Promise<void> {
  const { tenantId, mode, terms, key: apiKey } = principal;
  const created = await dependencies.createPayment({
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
    apiKey,
    terms,
    idempotency: idempotentRequest(key, body, () => meaningWithWallet(body)),
  });
  if (created.replayed) reply.header('Idempotent-Replayed', 'true');
  sendJson(reply, maySee(principal) ? created.json : maskJson(created.json));
}
