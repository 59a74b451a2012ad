import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { findByMetadata, type MetadataFilter } from '../../platform/postgres/find-by-metadata.ts';
import { addPage, type ListPage, orderOf, tableOf } from '../../platform/postgres/list-page.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import type { PaymentLink } from './payment-link.ts';

const links = table<PaymentLink>({
  tenantId: 'uuid',
  id: 'uuid',
  description: 'text',
  productId: 'uuid',
  amountMinor: 'bigint',
  minAmountMinor: 'bigint',
  maxAmountMinor: 'bigint',
  currency: 'text',
  returnUrl: 'text',
  completionUrl: 'text',
  metadata: 'text',
  active: 'boolean',
  uses: 'integer',
  maxUses: 'integer',
  expiresAtMs: 'timestamptz',
  createdByKey: 'uuid',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
});

const { columns } = links;
const newLinks = links.rowsWithout();

/** The key of the request that made a link, and the answer to every repetition of it. */
export interface LinkRequest {
  key: string;
  requestHash: Buffer;
  answer: string;
}

const insertStatement = prepare({
  name: 'payment_links.insert',
  given: { links: newLinks, key: 'text', requestHash: 'bytea', answer: 'text' },
  text: (given) => `
INSERT INTO payment_links (${newLinks.names}, idempotency_key, request_hash, original_answer)
SELECT ${newLinks.names}, ${given.key}, ${given.requestHash}, ${given.answer} FROM ${given.links}
ON CONFLICT DO NOTHING
RETURNING id`,
});

const noRequest = { key: null, requestHash: null, answer: null };

/** False if a link with the same idempotency key exists already. */
export async function insertLink(
  database: Queryable,
  link: PaymentLink,
  request: LinkRequest | null,
): Promise<boolean> {
  const given = { links: [link], ...(request ?? noRequest) };
  return (await insertStatement.run(database, given)).length > 0;
}

/** The first request with an idempotency key, plain or sealed. */
export const findLinkRequest = rowQuery<LinkRequest, [tenantId: string, keys: readonly string[]]>({
  name: 'payment_links.find_request',
  text: `
SELECT idempotency_key AS key, request_hash AS "requestHash", original_answer AS answer FROM payment_links
WHERE tenant_id = $1 AND idempotency_key = ANY ($2::text[])
ORDER BY array_position($2::text[], idempotency_key) LIMIT 1`,
});

/** The link, or undefined if the tenant has none with this id. */
export const findLink = rowQuery<PaymentLink, [tenantId: string, id: string]>({
  name: 'payment_links.find',
  text: `SELECT ${columns} FROM payment_links WHERE tenant_id = $1 AND id = $2`,
});

/** Locks the link until the transaction ends. */
export const lockLink = rowQuery<PaymentLink, [tenantId: string, id: string]>({
  name: 'payment_links.lock',
  text: `SELECT ${columns} FROM payment_links WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
});

export interface PaymentLinkFilter {
  active?: boolean | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

function conditionsOf(tenantId: string, filter: PaymentLinkFilter, page: ListPage): Conditions {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  asked.where('active = ?', filter.active);
  return asked;
}

/** The ids of the links on a page that also have this metadata. @throws VALIDATION_ERROR too much to search */
export function findLinksByMetadata(
  database: Database,
  tenantId: string,
  filter: PaymentLinkFilter,
  page: ListPage,
  metadata: MetadataFilter,
): Promise<string[]> {
  const asked = conditionsOf(tenantId, filter, page);
  return findByMetadata(database, { table: 'payment_links', asked, metadata, page });
}

/** Newest first; a page before a link, oldest first. Returns one row more than the limit if there are more. */
export function listLinks(
  database: Queryable,
  tenantId: string,
  filter: PaymentLinkFilter,
  page: ListPage,
): Promise<(PaymentLink & Found)[]> {
  const asked = conditionsOf(tenantId, filter, page);
  const text = pageStatement({
    columns,
    table: tableOf(asked, 'payment_links', filter.ids),
    where: asked.text,
    order: orderOf(page),
    bytes: 'octet_length(description) + coalesce(octet_length(metadata), 0)',
  });
  return database.query({ text }, asked.values);
}

/** So many of a merchant's newest links are searched. */
const mostSearched = 1_000;

/** A product's link that does not end, the newest that is not paused first; undefined if there is none. */
export const findLinkOfProduct = rowQuery<
  PaymentLink,
  [tenantId: string, productId: string, currency: string]
>({
  name: 'payment_links.of_product',
  text: `
SELECT ${columns} FROM (
  SELECT * FROM payment_links WHERE tenant_id = $1 ORDER BY id DESC LIMIT ${mostSearched}
) AS newest
WHERE product_id = $2 AND currency = $3 AND max_uses IS NULL AND expires_at IS NULL
ORDER BY active DESC, id DESC LIMIT 1`,
});

/** The fields to change; undefined leaves a field as it is. */
export interface LinkChange {
  description?: string | undefined;
  active?: boolean | undefined;
  maxUses?: number | null | undefined;
  expiresAtMs?: number | null | undefined;
}

const updateStatement = {
  name: 'payment_links.update',
  text: `
UPDATE payment_links SET description = $3, active = $4, max_uses = $5, expires_at = $6, updated_at = $7
WHERE tenant_id = $1 AND id = $2
RETURNING ${columns}`,
};

/** Writes the new state of a locked link. */
export async function updateLink(database: Queryable, link: PaymentLink): Promise<PaymentLink> {
  const { tenantId, id, description, active, maxUses, expiresAtMs, updatedAtMs } = link;
  const expiresAt = expiresAtMs === null ? null : timestamp(expiresAtMs);
  const values = [tenantId, id, description, active, maxUses, expiresAt, timestamp(updatedAtMs)];
  const [updated] = await database.query<PaymentLink>(updateStatement, values);
  return updated!;
}

const useStatement = {
  name: 'payment_links.use',
  text: `
UPDATE payment_links SET uses = uses + 1
WHERE tenant_id = $1 AND id = $2 AND active AND (max_uses IS NULL OR uses < max_uses)
  AND (expires_at IS NULL OR expires_at > $3)
RETURNING ${columns}, (SELECT k.max_payment_minor FROM api_keys k
  WHERE k.tenant_id = payment_links.tenant_id AND k.id = created_by_key) AS "maxPaymentMinor"`,
};

/** A link, and the key's limit of one payment; null if the key has no limit. */
export type UsedLink = PaymentLink & { maxPaymentMinor: bigint | null };

/** Counts one use; undefined if the link accepts no more uses. Uses of one link wait for each other. */
export async function useLink(
  transaction: Queryable,
  { tenantId, id }: Pick<PaymentLink, 'tenantId' | 'id'>,
  nowMs: number,
): Promise<UsedLink | undefined> {
  const [link] = await transaction.query<UsedLink>(useStatement, [tenantId, id, timestamp(nowMs)]);
  return link;
}
