import { listOf, pageOf, sendPage } from '../../http/lists.ts';
import type { HttpScope } from '../../http/server.ts';
import { formatId } from '../../ids.ts';
import { type Merchant, merchantPage } from '../../merchants/store.ts';
import { may } from '../may.ts';
import type { AdminServices } from '../services.ts';
import { listMerchantsQuery, merchantSchema } from './schemas.ts';

const tags = ['Merchants'];

export function merchantRoutes(scope: HttpScope, services: AdminServices): void {
  listRoute(scope, services);
}

const view = ({ id, name, createdAtMs }: Merchant) => ({
  id: formatId('me', id),
  name,
  createdAt: new Date(createdAtMs).toISOString(),
});

function listRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listMerchants',
    summary: 'List merchants, newest first',
    querystring: listMerchantsQuery,
    response: { 200: listOf(merchantSchema) },
  };
  scope.get('/merchants', { config: may('merchants.read'), schema }, async ({ query }, reply) => {
    const page = pageOf('me', query);
    const rows = await merchantPage(database, page.limit + 1, page.startingAfter ?? null);
    return sendPage(reply, rows, page.limit, (row) => JSON.stringify(view(row)));
  });
}
