import {
  countDifferences,
  listDifferences,
} from '../../../backoffice/reconciliations/difference-store.ts';
import {
  reconciliationLimits,
  type StoredReconciliation,
} from '../../../backoffice/reconciliations/reconciliation.ts';
import {
  findReconciliation,
  listReconciliations,
} from '../../../backoffice/reconciliations/store.ts';
import {
  storedDifferenceView,
  storedView,
  storedViewWithCounts,
} from '../../../backoffice/reconciliations/view.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import { listOf, pageOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import { withUpload } from '../../../platform/http/upload.ts';
import { may } from '../route-permission.ts';
import { params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';
import {
  listDifferencesQuery,
  listStoredQuery,
  scopeOf,
  storedDifferenceSchema,
  storedSchema,
  storedWithCountsSchema,
  uploadQuery,
} from './schemas.ts';
import { inWords, mebibytes, statementIn, takesStatements } from './statement-body.ts';

const tags = ['Reconciliation'];

/** Routes to store, compare and read statements. */
export function storedRoutes(scope: HttpScope, services: AdminServices): void {
  uploadRoute(scope, services);
  listRoute(scope, services);
  getRoute(scope, services);
  differencesRoute(scope, services);
}

/** @throws NOT_FOUND */
export async function findStored(
  { database }: AdminServices,
  given: string,
): Promise<StoredReconciliation> {
  const id = pathId('rc', given, 'reconciliation');
  const reconciliation = await findReconciliation(database, id);
  if (!reconciliation) throw notFound('reconciliation');
  return reconciliation;
}

function uploadRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'createReconciliation',
    summary: "Upload an operator's statement, to compare it and process the differences",
    description: `The body is the statement as CSV (docs/reconciliation.md), at most ${mebibytes} MiB. The comparison runs after the response: poll the reconciliation until its status is no longer COMPARING. The same file with the same parameters returns the earlier reconciliation.`,
    consumes: ['text/csv'],
    querystring: uploadQuery,
    body: Type.Unsafe<unknown>({ description: 'The statement' }),
    response: { 200: storedSchema },
  };
  const config = may('reconciliations.write', 'NOT_FOUND', 'LIMIT_REACHED');
  takesStatements(scope, (uploads) => {
    uploads.post('/reconciliations', { config, schema }, async (request) => {
      const { file_name: name = 'statement.csv', ...query } = request.query;
      const body = statementIn(request);
      const author = adminAuthorOf(request);
      const take = async (path: string) => {
        try {
          return await services.reconciliations.take(author, scopeOf(query), { path, name });
        } catch (error) {
          throw inWords(error);
        }
      };
      const { id } = await withUpload(body, reconciliationLimits.fileBytes, take);
      return storedView((await findReconciliation(services.database, id))!);
    });
  });
}

function listRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listReconciliations',
    summary: 'List reconciliations, newest first',
    querystring: listStoredQuery,
    response: { 200: listOf(storedSchema) },
  };
  const config = may('reconciliations.read');
  scope.get('/reconciliations', { config, schema }, async (request, reply) => {
    const { query } = request;
    const { limit, startingAfter } = pageOf('rc', query);
    const rows = await listReconciliations(database, { ...query, startingAfter }, limit + 1);
    return sendPage(reply, rows, { limit }, (row) => JSON.stringify(storedView(row)));
  });
}

function getRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getReconciliation',
    summary: 'Get a reconciliation, with the number of differences of each kind',
    params,
    response: { 200: storedWithCountsSchema },
  };
  const config = may('reconciliations.read');
  scope.get('/reconciliations/:id', { config, schema }, async (request) => {
    const found = await findStored(services, request.params.id);
    return storedViewWithCounts(found, await countDifferences(services.database, found.id));
  });
}

function differencesRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listDifferences',
    summary: 'List the differences of a reconciliation, in the order of the statement',
    params,
    querystring: listDifferencesQuery,
    response: { 200: listOf(storedDifferenceSchema) },
  };
  const config = may('reconciliations.read');
  scope.get('/reconciliations/:id/differences', { config, schema }, async (request, reply) => {
    const { id } = await findStored(services, request.params.id);
    const { query } = request;
    const { limit, startingAfter } = pageOf('rd', query);
    const filter = { kind: query.kind, status: query.status, startingAfter };
    const rows = await listDifferences(services.database, id, filter, limit + 1);
    return sendPage(reply, rows, { limit }, (row) => JSON.stringify(storedDifferenceView(row)));
  });
}
