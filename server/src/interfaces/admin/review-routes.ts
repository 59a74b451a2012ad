import type { FastifyRequest } from 'fastify';
import { closeReview } from '../../backoffice/resolutions/close.ts';
import { findWaiting, NothingThere, positionOf } from '../../backoffice/resolutions/find-case.ts';
import { findings } from '../../backoffice/resolutions/finding.ts';
import { findingOf } from '../../backoffice/resolutions/parse-finding.ts';
import { resolveReview } from '../../backoffice/resolutions/resolve.ts';
import { viewFor } from '../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../money/review/open-cases.ts';
import { placeInQueue, waitingKinds, waitingPage } from '../../money/review/queue.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import { DomainError, invalid, invalidState } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { adminAuthorOf } from '../../platform/http/author.ts';
import { listOf, pageLimit } from '../../platform/http/lists.ts';
import { nullable, textOf } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { requireNoApproval } from '../../platform/values/four-eyes.ts';
import { findInAnyCell, mergeRows } from '../../tenants/cells/all-cells.ts';
import { cell, cellOf, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { anything, instant, mode, params } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Reviews'];

const subjectSchema = Type.Object(
  {
    kind: Type.Enum(['PAYMENT', 'REFUND', 'REVERSAL', 'DISBURSEMENT'], { title: 'SubjectKind' }),
    id: Type.String({ description: 'pi_…, re_…, di_…, or the UUID of a reversal' }),
    reference: Type.String({ description: 'The reference that the operator knows' }),
    status: nullable(Type.String({ description: 'Null: our records lack it' })),
    merchantId: Type.Optional(Type.String()),
    merchantName: Type.Optional(Type.String()),
    paymentId: Type.Optional(nullable(Type.String({ description: 'Null for a disbursement' }))),
    amount: Type.Optional(Type.String({ description: 'In major units, as in 15.20' })),
    currency: Type.Optional(Type.String()),
    operatorPhone: Type.Optional(nullable(Type.String())),
    operatorTxId: Type.Optional(nullable(Type.String())),
    debitTxId: Type.Optional(nullable(Type.String())),
    reason: Type.Optional(nullable(Type.String({ description: 'Why a debit is returned' }))),
    failureCode: Type.Optional(nullable(Type.String())),
    byHand: Type.Optional(Type.Boolean()),
    queryCount: Type.Optional(Type.Integer()),
    createdAt: Type.Optional(instant),
    sentAt: Type.Optional(nullable(instant)),
    dueAt: Type.Optional(nullable(instant)),
  },
  { title: 'ReviewSubject' },
);

const reviewSchema = Type.Object(
  {
    id: Type.String({ examples: ['ri_01m7yhp3gge018xpacn8sjzp5w'] }),
    kind: Type.String({ examples: ['CONTRADICTION'] }),
    mode,
    operator: Type.String(),
    since: instant,
    subject: subjectSchema,
    ledger: Type.String({ description: 'According to our records' }),
    operatorSays: Type.String(),
    detail: anything,
    closed: nullable(
      Type.Object(
        { at: instant, by: nullable(Type.String()), reason: nullable(Type.String()) },
        { title: 'ReviewClosing' },
      ),
    ),
    cell,
  },
  { title: 'Review' },
);

const listReviewsQuery = Type.Object(
  {
    mode: Type.Optional(mode),
    kind: Type.Optional(Type.Enum([...waitingKinds], { title: 'ReviewKind' })),
    operator: Type.Optional(Type.Enum([...operatorNames], { title: 'ReviewOperator' })),
    limit: pageLimit,
    starting_after: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The id of the last item of the previous page.',
      }),
    ),
  },
  { additionalProperties: false },
);

const longestNote = 1_000;

const resolveBody = Type.Object(
  {
    finding: Type.Enum(findings, { title: 'Finding' }),
    operatorTransaction: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          "The operator's transaction id; with DEBITED, REFUNDED, GIVEN_BACK and PAID_OUT.",
      }),
    ),
    amount: Type.Optional(
      textOf('^[1-9]\\d{0,17}$', 'must be a whole number of centavos above 0', {
        description: 'With DEBITED: the debited amount, in centavos.',
      }),
    ),
    otherAmount: Type.Optional(
      Type.Boolean({ description: "Confirms that the amount differs from the payment's." }),
    ),
    unconfirmed: Type.Optional(
      Type.Boolean({
        description:
          "Insists on operatorTransaction, although the operator's API does not confirm that number.",
      }),
    ),
    note: Type.Optional(
      Type.String({ minLength: 1, maxLength: longestNote, description: 'For the audit log.' }),
    ),
  },
  { title: 'ResolveReviewBody', additionalProperties: false },
);

const closeBody = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: longestNote }) },
  { title: 'CloseReviewBody', additionalProperties: false },
);

const resolvedSchema = Type.Object(
  { result: Type.String({ description: 'The outcome, in words' }) },
  { title: 'ResolvedReview' },
);
const closedSchema = Type.Object({ id: Type.String() }, { title: 'ClosedReview' });

export function reviewRoutes(scope: HttpScope, services: AdminServices): void {
  listRoute(scope, services);
  getRoute(scope, services);
  resolveRoute(scope, services);
  closeRoute(scope, services);
}

const viewOf =
  ({ permissions }: { permissions: ReadonlySet<string> }, nowMs: number) =>
  (waiting: Waiting) =>
    viewFor(permissions.has('phones.read'), waiting, nowMs);

function listRoute(scope: HttpScope, services: AdminServices): void {
  const { clock, config } = services;
  const schema = {
    tags,
    operationId: 'listReviews',
    summary: "List items that need a person's decision, oldest first",
    querystring: listReviewsQuery,
    response: { 200: listOf(reviewSchema) },
  };
  scope.get('/reviews', { config: may('reviews.read'), schema }, async ({ query, adminKey }) => {
    const { mode: of = 'live', kind, operator, limit, starting_after: id } = query;
    const nowMs = clock.nowMs();
    const after =
      id === undefined
        ? undefined
        : await findInAnyCell(services, (database) => positionOf({ database }, id));
    if (id !== undefined && !after) throw invalid('starting_after', 'must be in the list');
    const sentBeforeMs = nowMs - config.paymentReviewAfterMs;
    const queue = { mode: of, kind, operator, sentBeforeMs };
    const rows = await everywhere(services, (database) =>
      waitingPage(database, queue, { limit, after }),
    );
    const waiting = mergeRows(rows, placeInQueue, { isNewestFirst: false }).slice(0, limit);
    const view = viewOf(adminKey, nowMs);
    const data = waiting.map((row) => ({ ...view(row), ...cellOf(row) }));
    return { data, hasMore: rows.length > limit };
  });
}

function getRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getReview',
    summary: 'Get everything in review about an item, a payment, a refund or a reversal',
    params,
    response: { 200: listOf(reviewSchema) },
  };
  scope.get('/reviews/:id', { config: may('reviews.read'), schema }, async (request) => {
    const waiting = await inWords(request, () => findWaiting(services, request.params.id));
    const view = viewOf(request.adminKey, services.clock.nowMs());
    return { data: waiting.map(view), hasMore: false };
  });
}

function resolveRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'resolveReview',
    summary: "Record the operator's answer about a payment, a refund or a wrong debit",
    params,
    body: resolveBody,
    response: { 200: resolvedSchema },
  };
  const config = may('reviews.resolve', 'INVALID_STATE');
  scope.post('/reviews/:id/resolve', { config, schema }, async (request) => {
    requireNoApproval(services.fourEyes, 'reviews');
    const { body } = request;
    const resolver = { ...services, ...adminAuthorOf(request) };
    const read = (subject: { kind: SubjectKind }) => findingOf(body, subject.kind);
    const result = await inWords(request, () =>
      resolveReview(resolver, request.params.id, read, body.note),
    );
    return { result };
  });
}

function closeRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'closeReview',
    summary: 'Close a contradiction or a clash; the ledger does not change',
    params,
    body: closeBody,
    response: { 200: closedSchema },
  };
  const config = may('reviews.resolve', 'INVALID_STATE');
  scope.post('/reviews/:id/close', { config, schema }, async (request) => {
    requireNoApproval(services.fourEyes, 'reviews');
    const resolver = { ...services, ...adminAuthorOf(request) };
    const { reason } = request.body;
    return { id: await inWords(request, () => closeReview(resolver, request.params.id, reason)) };
  });
}

/** These refusals address a person at a shell; for a key, the commands that they advise are removed. */
async function inWords<T>(
  { adminKey }: Pick<FastifyRequest, 'adminKey'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (adminKey.author) throw error;
    if (error instanceof NothingThere) throw new DomainError('NOT_FOUND', 'No such review.');
    throw error instanceof StartError ? invalidState(error.message) : error;
  }
}
