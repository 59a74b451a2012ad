import { countDifferences } from '../../../backoffice/reconciliations/difference-store.ts';
import { storedViewWithCounts } from '../../../backoffice/reconciliations/view.ts';
import type { ErrorCode } from '../../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { may } from '../route-permission.ts';
import { params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';
import { askBody, differenceBody, explainBody, storedWithCountsSchema } from './schemas.ts';
import { findStored } from './statement-routes.ts';

const tags = ['Reconciliation'];
const response = { 200: storedWithCountsSchema };
const uuidsOf = (ids: readonly string[]) => ids.map((id) => parseId('rd', id)!);

/** Actions on differences. */
export function workRoutes(scope: HttpScope, services: AdminServices): void {
  explainRoute(scope, services);
  compareAgainRoute(scope, services);
  reopenRoute(scope, services);
  askRoute(scope, services);
  reviewRoute(scope, services);
}

const config = (...more: ErrorCode[]) =>
  may('reconciliations.write', 'NOT_FOUND', 'INVALID_STATE', ...more);

async function viewNow(services: AdminServices, given: string) {
  const found = await findStored(services, given);
  return storedViewWithCounts(found, await countDifferences(services.database, found.id));
}

function explainRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'explainDifferences',
    summary: 'Explain why differences need no action: all of them, or none',
    params,
    body: explainBody,
    response,
  };
  const path = '/reconciliations/:id/explain';
  scope.post(path, { config: config(), schema }, async (request) => {
    const { id } = await findStored(services, request.params.id);
    const { differences, reason, note = '', operatorReference = '' } = request.body;
    const given = { reason, note, operatorReference };
    const author = adminAuthorOf(request);
    await services.reconciliations.explain(author, id, uuidsOf(differences), given);
    return viewNow(services, request.params.id);
  });
}

function compareAgainRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'compareAgain',
    summary: 'Compare a stored statement with the current ledger',
    params,
    response,
  };
  const path = '/reconciliations/:id/compare';
  scope.post(path, { config: config('LIMIT_REACHED'), schema }, async (request) => {
    const { id } = await findStored(services, request.params.id);
    await services.reconciliations.compareAgain(adminAuthorOf(request), id);
    return viewNow(services, request.params.id);
  });
}

function reopenRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'reopenDifference',
    summary: 'Withdraw an explanation',
    params,
    body: differenceBody,
    response,
  };
  const path = '/reconciliations/:id/reopen';
  scope.post(path, { config: config(), schema }, async (request) => {
    const { id } = await findStored(services, request.params.id);
    const [difference] = uuidsOf([request.body.difference]);
    await services.reconciliations.reopen(adminAuthorOf(request), id, difference!);
    return viewNow(services, request.params.id);
  });
}

function askRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'askOperator',
    summary: 'Query the operator about payments, refunds and reversals whose statuses differ',
    description:
      'The gateway queries the operator after the response. Compare again to see the result.',
    params,
    body: askBody,
    response: {
      200: Type.Object(
        { asked: Type.Integer({ description: 'How many of them are queried' }) },
        { title: 'AskedOperator' },
      ),
    },
  };
  const path = '/reconciliations/:id/ask-operator';
  scope.post(path, { config: config(), schema }, async (request) => {
    const { id } = await findStored(services, request.params.id);
    const differences = uuidsOf(request.body.differences);
    return { asked: await services.reconciliations.ask(adminAuthorOf(request), id, differences) };
  });
}

function reviewRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'requestReview',
    summary: 'List a difference for review; this books nothing',
    params,
    body: differenceBody,
    response: {
      200: Type.Object({ reviewId: Type.String() }, { title: 'RequestedReview' }),
    },
  };
  const path = '/reconciliations/:id/request-review';
  scope.post(path, { config: config(), schema }, async (request) => {
    const { id } = await findStored(services, request.params.id);
    const [difference] = uuidsOf([request.body.difference]);
    const author = adminAuthorOf(request);
    const reviewId = await services.reconciliations.requestReview(author, id, difference!);
    return { reviewId: formatId('ri', reviewId) };
  });
}
