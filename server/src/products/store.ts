import { type Queryable, timestamp } from '../postgres/database.ts';
import { type Found, pageStatement } from '../postgres/page-bytes.ts';
import { rowQuery, rowsQuery } from '../postgres/query.ts';
import type { Product } from './product.ts';

const columns = `
  tenant_id AS "tenantId", id, name, description, price_minor AS "priceMinor", currency, active, metadata,
  created_at AS "createdAtMs", updated_at AS "updatedAtMs"`;

/** The key of the request that made a product, and what every repetition of it is answered with. */
export interface ProductRequest {
  key: string;
  requestHash: Buffer;
  answer: string;
}

const insertStatement = {
  name: 'products.insert',
  text: `
INSERT INTO products (tenant_id, id, name, description, price_minor, currency, active, metadata,
  idempotency_key, request_hash, original_answer, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
ON CONFLICT DO NOTHING
RETURNING id`,
};

/** False where a product with the same idempotency key is there already. */
export async function insertProduct(
  database: Queryable,
  product: Product,
  request: ProductRequest | null,
): Promise<boolean> {
  const rows = await database.query(insertStatement, [
    product.tenantId,
    product.id,
    product.name,
    product.description,
    product.priceMinor.toString(),
    product.currency,
    product.active,
    product.metadata,
    request?.key ?? null,
    request?.requestHash ?? null,
    request?.answer ?? null,
    timestamp(product.createdAtMs),
  ]);
  return rows.length > 0;
}

/** The request that used an idempotency key first; it outlives the product. */
export const findProductRequest = rowQuery<ProductRequest, [tenantId: string, key: string]>({
  name: 'products.find_request',
  text: `
SELECT idempotency_key AS key, request_hash AS "requestHash", original_answer AS answer FROM products
WHERE tenant_id = $1 AND idempotency_key = $2`,
});

/** Those of the products that the tenant has, in no order. */
export const findProducts = rowsQuery<Product, [tenantId: string, ids: readonly string[]]>({
  name: 'products.find',
  text: `
SELECT ${columns} FROM products
WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL`,
});

const lockStatement = {
  name: 'products.lock',
  text: `
SELECT ${columns} FROM products WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
};

/** The product as it stays until the transaction ends. */
export async function lockProduct(
  transaction: Queryable,
  { tenantId, id }: Pick<Product, 'tenantId' | 'id'>,
): Promise<Product | undefined> {
  return (await transaction.query<Product>(lockStatement, [tenantId, id]))[0];
}

const listStatement = {
  name: 'products.list',
  text: pageStatement({
    columns,
    table: 'products',
    where: `tenant_id = $1 AND deleted_at IS NULL
      AND ($2::uuid IS NULL OR id < $2) AND ($3::boolean IS NULL OR active = $3)`,
    limit: '$4',
    bytes: 'coalesce(octet_length(description), 0) + coalesce(octet_length(metadata), 0)',
  }),
};

/** Newest first; one row more than the limit tells whether there are more. */
export function listProducts(
  database: Queryable,
  tenantId: string,
  active: boolean | undefined,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<(Product & Found)[]> {
  const values = [tenantId, page.startingAfter ?? null, active ?? null, page.limit + 1];
  return database.query(listStatement, values);
}

/** What is to change; undefined leaves a field as it is. */
export interface ProductChange {
  name?: string | undefined;
  description?: string | null | undefined;
  priceMinor?: bigint | undefined;
  currency?: string | undefined;
  active?: boolean | undefined;
  metadata?: string | null | undefined;
}

const updateStatement = {
  name: 'products.update',
  text: `
UPDATE products SET
  name = coalesce($3, name), price_minor = coalesce($4, price_minor),
  currency = coalesce($5, currency), active = coalesce($6, active),
  description = CASE WHEN $7 THEN $8 ELSE description END,
  metadata = CASE WHEN $9 THEN $10 ELSE metadata END,
  updated_at = $11
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING ${columns}`,
};

/** The product as it is then, or undefined where the tenant has none of this id. */
export async function updateProduct(
  database: Queryable,
  { tenantId, id }: Pick<Product, 'tenantId' | 'id'>,
  change: ProductChange,
  nowMs: number,
): Promise<Product | undefined> {
  const rows = await database.query<Product>(updateStatement, [
    tenantId,
    id,
    change.name ?? null,
    change.priceMinor?.toString() ?? null,
    change.currency ?? null,
    change.active ?? null,
    change.description !== undefined,
    change.description ?? null,
    change.metadata !== undefined,
    change.metadata ?? null,
    timestamp(nowMs),
  ]);
  return rows[0];
}

const deleteStatement = {
  name: 'products.delete',
  text: `
UPDATE products SET deleted_at = $3, updated_at = $3
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING id`,
};

/** False where the tenant has no such product. */
export async function deleteProduct(
  database: Queryable,
  tenantId: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const rows = await database.query(deleteStatement, [tenantId, id, timestamp(nowMs)]);
  return rows.length > 0;
}
