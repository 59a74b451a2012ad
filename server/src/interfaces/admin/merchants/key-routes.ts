import { adminAuthorOf } from '../../../platform/http/author.ts';
import { onceHeaders } from '../../../platform/http/idempotency-key.ts';
import { listOf, pageOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { lastOfPage, mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import { refuseLiveOnEmbedded } from '../../../tenants/merchants/check-live-database.ts';
import { issueKey, keyView, listKeyPage, revokeKey } from '../../../tenants/merchants/keys.ts';
import { type ApiKey, findKey } from '../../../tenants/merchants/store.ts';
import { cellOf, databaseOf, everywhere } from '../query-all-cells.ts';
import { may } from '../route-permission.ts';
import { params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';
import { rollRoute } from './roll-key-route.ts';
import { apiKeySchema, createKeyBody, issuedKeySchema, listKeysQuery } from './schemas.ts';

const tags = ['API keys'];

export function keyRoutes(scope: HttpScope, services: AdminServices): void {
  createRoute(scope, services);
  listRoute(scope, services);
  rollRoute(scope, services);
  revokeRoute(scope, services);
}

const minorOf = (text: string | null | undefined) => (text == null ? null : BigInt(text));
const msOf = (text: string | null | undefined) => (text == null ? null : Date.parse(text));

function createRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'createKey',
    summary: "Create a merchant's API key; it is shown only once",
    description:
      'With an Idempotency-Key, a repeated request creates no second key: the answer is 409, because the first key cannot be shown again.',
    headers: onceHeaders,
    body: createKeyBody,
    response: { 200: issuedKeySchema },
  };
  const config = may('api_keys.write', 'NOT_FOUND', 'INVALID_STATE');
  scope.post('/keys', { config, schema }, async (request) => {
    const { body, headers, adminKey } = request;
    const { mode, label = null, permissions, allowedAddresses = [] } = body;
    refuseLiveOnEmbedded(services.config, mode);
    const key = headers['idempotency-key'];
    const terms = {
      label,
      allowedAddresses,
      expiresAtMs: msOf(body.expiresAt),
      maxPaymentMinor: minorOf(body.maxPayment),
      maxRefundedPerDayMinor: minorOf(body.maxRefundedPerDay),
      maxDisbursementMinor: minorOf(body.maxDisbursement),
      maxDisbursedPerDayMinor: minorOf(body.maxDisbursedPerDay),
    };
    const merchantId = parseId('me', body.merchantId)!;
    const database = await databaseOf(services, merchantId);
    const issued = await issueKey(
      { ...services, database, fourEyes: services.fourEyes, ...adminAuthorOf(request) },
      {
        merchantId,
        mode,
        ...(permissions !== undefined && { permissions }),
        terms,
        ...(key !== undefined && { once: `${adminKey.key.id} ${key}` }),
      },
    );
    return { id: formatId('ak', issued.id), key: issued.key };
  });
}

function listRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listKeys',
    summary: "List merchants' API keys, newest first",
    querystring: listKeysQuery,
    response: { 200: listOf(apiKeySchema) },
  };
  const config = may('api_keys.read', 'NOT_FOUND');
  scope.get('/keys', { config, schema }, async (request, reply) => {
    const { query } = request;
    const { limit, startingAfter } = pageOf('ak', query);
    const merchantId =
      query.merchant_id === undefined ? undefined : parseId('me', query.merchant_id);
    const last = await lastOfPage(services, startingAfter, findKey);
    const page = { merchantId, limit: limit + 1, startingAfter, afterMs: last?.createdAtMs };
    const author = adminAuthorOf(request);
    const ask = (database: Database) => listKeyPage({ ...services, database, ...author }, page);
    const rows: (ApiKey & InCell)[] =
      merchantId === undefined ? await everywhere(services, ask) : await ask(services.database);
    const inOrder = mergeRows(rows, ({ createdAtMs, id }) => [createdAtMs, id]);
    const jsonOf = (row: ApiKey & InCell) => JSON.stringify({ ...keyView(row), ...cellOf(row) });
    return sendPage(reply, inOrder, { limit }, jsonOf);
  });
}

function revokeRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'revokeKey',
    summary: "Revoke a merchant's API key",
    description:
      'Every process rejects the key within 5 seconds. Revoking it again changes nothing.',
    params,
    response: { 200: apiKeySchema },
  };
  scope.post('/keys/:id/revoke', { config: may('api_keys.write'), schema }, async (request) => {
    const id = pathId('ak', request.params.id, 'key');
    return keyView(await revokeKey({ ...services, ...adminAuthorOf(request) }, id));
  });
}
