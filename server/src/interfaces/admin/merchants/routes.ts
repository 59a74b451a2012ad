import { notFound, notNow } from '../../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import { idempotencyHeaders } from '../../../platform/http/idempotency-key.ts';
import { listOf, pageOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { timestamp } from '../../../platform/postgres/database.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { lastOfPage, mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import { changeBrand, readBrand } from '../../../tenants/merchants/brand.ts';
import { createMerchant, createMerchantOnce } from '../../../tenants/merchants/create-merchant.ts';
import {
  changePayoutSchedule,
  findPayoutSchedule,
} from '../../../tenants/merchants/payout-schedule.ts';
import { findMerchant, type Merchant, merchantPage } from '../../../tenants/merchants/store.ts';
import { cellOf, everywhere } from '../query-all-cells.ts';
import { may } from '../route-permission.ts';
import { params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';
import {
  brandSchema,
  changeBrandBody,
  createMerchantBody,
  listMerchantsQuery,
  merchantSchema,
  scheduleSchema,
} from './schemas.ts';

const tags = ['Merchants'];

export function merchantRoutes(scope: HttpScope, services: AdminServices): void {
  createRoute(scope, services);
  listRoute(scope, services);
  getRoute(scope, services);
  brandRoutes(scope, services);
  scheduleRoutes(scope, services);
}

const view = ({ id, name, createdAtMs }: Merchant) => ({
  id: formatId('me', id),
  name,
  createdAt: new Date(createdAtMs).toISOString(),
});

function createRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'createMerchant',
    summary: 'Create a merchant, with a live and a test mode',
    headers: idempotencyHeaders,
    body: createMerchantBody,
    response: { 200: merchantSchema },
  };
  const config = may('merchants.write', 'IDEMPOTENCY_KEY_REUSED', 'INVALID_STATE');
  scope.post('/merchants', { config, schema }, async (request, reply) => {
    const { body, headers, adminKey } = request;
    const problem = await services.findUnserved?.();
    if (problem !== undefined) throw notNow(problem);
    const dependencies = { ...services, ...adminAuthorOf(request) };
    const key = headers['idempotency-key'];
    if (key === undefined) return view(await createMerchant(dependencies, body.name));
    const once = { by: adminKey.key.id, key };
    const { merchant, replayed } = await createMerchantOnce(dependencies, body.name, once);
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    return view(merchant);
  });
}

function listRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listMerchants',
    summary: 'List merchants, newest first',
    querystring: listMerchantsQuery,
    response: { 200: listOf(merchantSchema) },
  };
  const config = may('merchants.read');
  scope.get('/merchants', { config, schema }, async ({ query }, reply) => {
    const { limit, startingAfter = null } = pageOf('me', query);
    const last = await lastOfPage(services, startingAfter, findMerchant);
    const after = timestamp(last?.createdAtMs ?? null);
    const rows = await everywhere(services, (database) =>
      merchantPage(database, limit + 1, startingAfter, after),
    );
    const inOrder = mergeRows(rows, ({ createdAtMs, id }) => [createdAtMs, id]);
    const jsonOf = (row: Merchant & InCell) => JSON.stringify({ ...view(row), ...cellOf(row) });
    return sendPage(reply, inOrder, { limit }, jsonOf);
  });
}

function getRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getMerchant',
    summary: 'Get a merchant',
    params,
    response: { 200: merchantSchema },
  };
  scope.get('/merchants/:id', { config: may('merchants.read'), schema }, async (request) => {
    const merchant = await findMerchant(database, pathId('me', request.params.id, 'merchant'));
    if (!merchant) throw notFound('merchant');
    return view(merchant);
  });
}

function brandRoutes(scope: HttpScope, services: AdminServices): void {
  const common = { tags, params, response: { 200: brandSchema } };
  const get = {
    ...common,
    operationId: 'getBrand',
    summary: "Get a merchant's look on the payment page",
  };
  scope.get(
    '/merchants/:id/brand',
    { config: may('merchants.read'), schema: get },
    async (request) => readBrand(services.database, pathId('me', request.params.id, 'merchant')),
  );
  const change = {
    ...common,
    operationId: 'changeBrand',
    summary: "Change a merchant's look on the payment page",
    body: changeBrandBody,
  };
  const config = may('merchants.write');
  scope.patch('/merchants/:id/brand', { config, schema: change }, async (request) => {
    const { logo, ...rest } = request.body;
    const id = pathId('me', request.params.id, 'merchant');
    return changeBrand({ ...services, ...adminAuthorOf(request) }, id, {
      ...rest,
      ...(logo !== undefined && { logo: logo === null ? null : Buffer.from(logo, 'base64') }),
    });
  });
}

function scheduleRoutes(scope: HttpScope, services: AdminServices): void {
  const common = { tags, params, response: { 200: scheduleSchema } };
  const path = '/merchants/:id/payout-schedule';
  const get = {
    ...common,
    operationId: 'getPayoutSchedule',
    summary: "Get a merchant's schedule of automatic payouts",
  };
  scope.get(path, { config: may('merchants.read'), schema: get }, async (request) => {
    const id = pathId('me', request.params.id, 'merchant');
    return { schedule: await findPayoutSchedule(services.database, id) };
  });
  const change = {
    ...common,
    operationId: 'changePayoutSchedule',
    summary: "Change a merchant's schedule of automatic payouts",
    body: scheduleSchema,
  };
  scope.put(path, { config: may('merchants.write'), schema: change }, async (request) => {
    const id = pathId('me', request.params.id, 'merchant');
    const dependencies = { ...services, ...adminAuthorOf(request) };
    return { schedule: await changePayoutSchedule(dependencies, id, request.body.schedule) };
  });
}
