import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { findByMetadata, type MetadataFilter } from '../../platform/postgres/find-by-metadata.ts';
import { addPage, type ListPage, orderOf, tableOf } from '../../platform/postgres/list-page.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import type { Product } from './product.ts';

const products = table<Product>({
  tenantId: 'uuid',
  id: 'uuid',
  name: 'text',
  description: 'text',
  priceMinor: 'bigint',
  currency: 'text',
  active: 'boolean',
  metadata: 'text',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
});

const { columns } = products;
const newProducts = products.rowsWithout();

/** The key of the request that made a product, and the answer to every repetition of it. */
export interface ProductRequest {
  key: string;
  requestHash: Buffer;
  answer: string;
}

const insertStatement = prepare({
  name: 'products.insert',
  given: { products: newProducts, key: 'text', requestHash: 'bytea', answer: 'text' },
  text: (given) => `
INSERT INTO products (${newProducts.names}, idempotency_key, request_hash, original_answer)
SELECT ${newProducts.names}, ${given.key}, ${given.requestHash}, ${given.answer} FROM ${given.products}
ON CONFLICT DO NOTHING
RETURNING id`,
});

const noRequest = { key: null, requestHash: null, answer: null };

/** False if a product with the same idempotency key exists already. */
export async function insertProduct(
  database: Queryable,
  product: Product,
  request: ProductRequest | null,
): Promise<boolean> {
  const given = { products: [product], ...(request ?? noRequest) };
  return (await insertStatement.run(database, given)).length > 0;
}

/** The first request with an idempotency key, plain or sealed; it outlives the product. */
export const findProductRequest = rowQuery<
  ProductRequest,
  [tenantId: string, keys: readonly string[]]
>({
  name: 'products.find_request',
  text: `
SELECT idempotency_key AS key, request_hash AS "requestHash", original_answer AS answer FROM products
WHERE tenant_id = $1 AND idempotency_key = ANY ($2::text[])
ORDER BY array_position($2::text[], idempotency_key) LIMIT 1`,
});

/** The tenant's products among these, in no order. */
export const findProducts = rowsQuery<Product, [tenantId: string, ids: readonly string[]]>({
  name: 'products.find',
  text: `
SELECT ${columns} FROM products
WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL`,
});

/** Locks the product until the transaction ends. */
export const lockProduct = rowQuery<Product, [tenantId: string, id: string]>({
  name: 'products.lock',
  text: `
SELECT ${columns} FROM products WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
});

export interface ProductFilter {
  active?: boolean | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

function conditionsOf(tenantId: string, filter: ProductFilter, page: ListPage): Conditions {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1', 'deleted_at IS NULL');
  addPage(asked, page);
  asked.where('active = ?', filter.active);
  return asked;
}

/** The ids of the products on a page that also have this metadata. @throws VALIDATION_ERROR too much to search */
export function findProductsByMetadata(
  database: Database,
  tenantId: string,
  filter: ProductFilter,
  page: ListPage,
  metadata: MetadataFilter,
): Promise<string[]> {
  const asked = conditionsOf(tenantId, filter, page);
  return findByMetadata(database, { table: 'products', asked, metadata, page });
}

/** Newest first; a page before a product, oldest first. Returns one row more than the limit if there are more. */
export function listProducts(
  database: Queryable,
  tenantId: string,
  filter: ProductFilter,
  page: ListPage,
): Promise<(Product & Found)[]> {
  const asked = conditionsOf(tenantId, filter, page);
  const text = pageStatement({
    columns,
    table: tableOf(asked, 'products', filter.ids),
    where: asked.text,
    order: orderOf(page),
    bytes: 'coalesce(octet_length(description), 0) + coalesce(octet_length(metadata), 0)',
  });
  return database.query({ text }, asked.values);
}

/** Letters with accents, and the plain letters that people type instead. */
const accented = 'áàâãäéèêëíìîïóòôõöúùûüçÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇ';
const plain = 'aaaaaeeeeiiiiooooouuuuc'.repeat(2);
const folded = (text: string) => `translate(lower(${text}), '${accented}', '${plain}')`;

const forSaleStatement = {
  name: 'products.for_sale',
  text: `
SELECT ${columns} FROM products
WHERE tenant_id = $1 AND deleted_at IS NULL AND active AND currency = $2 AND price_minor BETWEEN 1 AND $3
  AND (id = ANY ($4::uuid[]) OR position(${folded('$5::text')} IN ${folded('name')}) > 0)
ORDER BY id = ANY ($4::uuid[]) DESC, id DESC
LIMIT $6`,
};

/** Products that can be sold: these first, then the newest whose name contains the text, with or without accents. */
export function findForSale(
  database: Queryable,
  tenantId: string,
  asked: {
    currency: string;
    mostMinor: bigint;
    ids: readonly string[];
    text: string;
    limit: number;
  },
): Promise<Product[]> {
  const { currency, mostMinor, ids, text, limit } = asked;
  return database.query(forSaleStatement, [tenantId, currency, mostMinor, ids, text, limit]);
}

/** The fields to change; undefined leaves a field as it is. */
export interface ProductChange {
  name?: string | undefined;
  description?: string | null | undefined;
  priceMinor?: bigint | undefined;
  currency?: string | undefined;
  active?: boolean | undefined;
  metadata?: string | null | undefined;
}

const updateStatement = prepare({
  name: 'products.update',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    name: 'text',
    priceMinor: 'bigint',
    currency: 'text',
    active: 'boolean',
    setsDescription: 'boolean',
    description: 'text',
    setsMetadata: 'boolean',
    metadata: 'text',
    nowMs: 'timestamptz',
  },
  text: (given) => `
UPDATE products SET
  name = coalesce(${given.name}, name), price_minor = coalesce(${given.priceMinor}, price_minor),
  currency = coalesce(${given.currency}, currency), active = coalesce(${given.active}, active),
  description = CASE WHEN ${given.setsDescription} THEN ${given.description} ELSE description END,
  metadata = CASE WHEN ${given.setsMetadata} THEN ${given.metadata} ELSE metadata END,
  updated_at = ${given.nowMs}
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND deleted_at IS NULL
RETURNING ${columns}`,
});

/** The product after the change, or undefined if the tenant has none with this id. */
export async function updateProduct(
  database: Queryable,
  { tenantId, id }: Pick<Product, 'tenantId' | 'id'>,
  change: ProductChange,
  nowMs: number,
): Promise<Product | undefined> {
  const { name = null, priceMinor = null, currency = null, active = null } = change;
  const { description, metadata } = change;
  const [product] = await updateStatement.run<Product>(database, {
    tenantId,
    id,
    name,
    priceMinor,
    currency,
    active,
    nowMs,
    setsDescription: description !== undefined,
    description: description ?? null,
    setsMetadata: metadata !== undefined,
    metadata: metadata ?? null,
  });
  return product;
}

const deleteStatement = {
  name: 'products.delete',
  text: `
UPDATE products SET deleted_at = $3, updated_at = $3
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING id`,
};

/** False if the tenant has no such product. */
export async function deleteProduct(
  database: Queryable,
  tenantId: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const rows = await database.query(deleteStatement, [tenantId, id, timestamp(nowMs)]);
  return rows.length > 0;
}
