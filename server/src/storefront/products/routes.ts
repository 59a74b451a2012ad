import { notFound } from '../../platform/errors/errors.ts';
import { authorOf } from '../../platform/http/author.ts';
import { idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { metadataOf, rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { checkMetadata } from '../../platform/http/metadata.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { idempotentRequest } from '../../platform/idempotency/idempotency.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ChangeProduct } from './change.ts';
import type { CreateProduct } from './create.ts';
import { productView } from './product.ts';
import {
  type CreateProductBody,
  createProductBody,
  listProductsQuery,
  productSchema,
  updateProductBody,
} from './schemas.ts';
import { findProducts, findProductsByMetadata, listProducts, type ProductFilter } from './store.ts';

export interface ProductRouteDependencies {
  database: Database;
  createProduct: CreateProduct;
  changeProduct: ChangeProduct;
}

const tags = ['Products'];
const params = Type.Object({ id: Type.String() });
const response = { 200: productSchema };
const read = { permission: 'products:read' };
const write = { permission: 'products:write' };

export function productRoutes(scope: HttpScope, dependencies: ProductRouteDependencies): void {
  createRoute(scope, dependencies);
  listRoute(scope, dependencies);
  getRoute(scope, dependencies);
  updateRoute(scope, dependencies);
  deleteRoute(scope, dependencies);
}

function createRoute(scope: HttpScope, { createProduct }: ProductRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'createProduct',
    summary: 'Create a product',
    headers: idempotencyHeaders,
    body: createProductBody,
    response,
  };
  const config = { ...write, errors: ['IDEMPOTENCY_KEY_REUSED' as const] };
  scope.post('/products', { config, schema }, async (request, reply) => {
    const { body, headers, principal } = request;
    const key = headers['idempotency-key'];
    const created = await createProduct({
      tenantId: principal.tenantId,
      name: body.name,
      description: body.description ?? null,
      priceMinor: BigInt(body.price),
      ...defaultsOf(body),
      metadata: body.metadata ? checkMetadata(body.metadata) : null,
      author: authorOf(request),
      idempotency: idempotentRequest(key, body, () => ({ ...body, ...defaultsOf(body) })),
    });
    if (created.replayed) reply.header('Idempotent-Replayed', 'true');
    sendJson(reply, created.json);
    return reply;
  });
}

const defaultsOf = ({ currency, active }: CreateProductBody) => ({
  currency: currency ?? ('CVE' as const),
  active: active ?? true,
});

function listRoute(scope: HttpScope, { database }: ProductRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'listProducts',
    summary: 'List products, newest first',
    querystring: listProductsQuery,
    response: { 200: listOf(productSchema) },
  };
  scope.get('/products', { config: read, schema }, async ({ query, principal }, reply) => {
    const page = rangedPageOf('pr', query);
    const { tenantId } = principal;
    const filter: ProductFilter = { active: query.active };
    const metadata = metadataOf(query, page);
    if (metadata)
      filter.ids = await findProductsByMetadata(database, tenantId, filter, page, metadata);
    const rows = await readInTime(database, query, ['active'], (queryable) =>
      listProducts(queryable, tenantId, filter, page),
    );
    return sendPage(reply, rows, page, (row) => JSON.stringify(productView(row)));
  });
}

function getRoute(scope: HttpScope, { database }: ProductRouteDependencies): void {
  const summary = 'Get a product';
  const schema = { tags, operationId: 'getProduct', summary, params, response };
  scope.get('/products/:id', { config: read, schema }, async (request) => {
    const id = pathId('pr', request.params.id, 'product');
    const [product] = await findProducts(database, request.principal.tenantId, [id]);
    if (!product) throw notFound('product');
    return productView(product);
  });
}

function updateRoute(scope: HttpScope, { changeProduct }: ProductRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'updateProduct',
    summary: 'Change a product',
    description:
      'Fields that you omit stay as they are; null clears description and metadata. Existing checkout sessions do not change.',
    params,
    body: updateProductBody,
    response,
  };
  scope.patch('/products/:id', { config: write, schema }, async (request) => {
    const { body, principal } = request;
    const id = pathId('pr', request.params.id, 'product');
    const change = {
      name: body.name,
      description: body.description,
      priceMinor: body.price === undefined ? undefined : BigInt(body.price),
      currency: body.currency,
      active: body.active,
      metadata: body.metadata ? checkMetadata(body.metadata) : body.metadata,
    };
    const { tenantId } = principal;
    const key = { tenantId, id };
    return productView(await changeProduct.update(key, change, authorOf(request)));
  });
}

function deleteRoute(scope: HttpScope, { changeProduct }: ProductRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'deleteProduct',
    summary: 'Delete a product',
    description: 'Existing checkout sessions do not change.',
    params,
    response: { 204: Type.Null({ description: 'Deleted' }) },
  };
  scope.delete('/products/:id', { config: write, schema }, async (request, reply) => {
    const id = pathId('pr', request.params.id, 'product');
    const { tenantId } = request.principal;
    await changeProduct.remove({ tenantId, id }, authorOf(request));
    return reply.code(204).send(null);
  });
}
