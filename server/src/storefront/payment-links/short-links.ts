import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { crockfordDigits, formatId, parseId, uuidOfBytes } from '../../platform/values/ids.ts';
import type { PaymentLink } from './payment-link.ts';

type LinkKey = Pick<PaymentLink, 'tenantId' | 'id'>;

const folder = 'l';
const prefix = 'pl';

/** A code for a short address: 128 random bits, which nobody guesses, in the form of a UUID. */
export const randomCode = (): string => uuidOfBytes(randomBytes(16));

/** `https://…/l/` and the code, in 26 characters that survive being read aloud and typed. */
export const shortUrlOf = (code: string, publicUrl: string): string =>
  `${publicUrl}/${folder}/${formatId(prefix, code).slice(prefix.length + 1)}`;

/** The code in an address, as a UUID; undefined if it is malformed. */
export const parseCode = (typed: string): string | undefined =>
  parseId(prefix, `${prefix}_${crockfordDigits(typed)}`);

const insertStatement = {
  name: 'short_links.insert',
  text: `
INSERT INTO short_links (tenant_id, payment_link_id, code)
SELECT $1, * FROM unnest($2::uuid[], $3::uuid[])
ON CONFLICT (tenant_id, payment_link_id) DO NOTHING`,
};

/** Gives a new link its code. */
export async function insertCode(
  database: Queryable,
  { tenantId, id }: LinkKey,
  code: string,
): Promise<void> {
  await database.query(insertStatement, [tenantId, [id], [code]]);
}

const codesStatement = {
  name: 'short_links.codes',
  text: `
SELECT payment_link_id AS id, code FROM short_links
WHERE tenant_id = $1 AND payment_link_id = ANY ($2::uuid[])`,
};

/** The codes of a tenant's links, by the links' ids; links of older programs get theirs now. */
export async function codesOf(
  database: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const find = async () => {
    const rows = await database.query<{ id: string; code: string }>(codesStatement, [
      tenantId,
      ids,
    ]);
    return new Map(rows.map(({ id, code }) => [id, code]));
  };
  const found = await find();
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  await database.query(insertStatement, [tenantId, missing, missing.map(randomCode)]);
  // Another process may have been first.
  return find();
}

/** The link of a code. The address names no tenant. */
export const findLinkOfCode = rowQuery<LinkKey, [code: string]>({
  name: 'short_links.find',
  text: `SELECT tenant_id AS "tenantId", payment_link_id AS id FROM short_links WHERE code = $1`,
});
