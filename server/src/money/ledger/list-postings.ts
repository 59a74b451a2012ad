import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';

/** A posting as it is stored. Amounts are in minor units. */
export interface ListedPosting {
  /** The payment, refund, reversal, disbursement or settlement. */
  sourceId: string;
  kind: string;
  fromAccount: string;
  toAccount: string;
  amountMinor: bigint;
  currency: string;
  createdAtMs: number;
}

export interface PostingPage {
  limit: number;
  /** Only postings of these sources: a payment with its refunds, say. */
  sourceIds?: readonly string[] | undefined;
  /** The last of the previous page. */
  after?: { sourceId: string; kind: string } | undefined;
}

/** Sorts after all ids and kinds: newest first starts here. */
const start = { sourceId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', kind: '~' };

/** The postings of a tenant, or of some of its objects, in the order of the key, the newest payments first. */
export function listPostings(
  database: Queryable,
  tenantId: string,
  { limit, sourceIds, after = start }: PostingPage,
): Promise<ListedPosting[]> {
  const asked = new Conditions([tenantId, after.sourceId, after.kind, limit], 'tenant_id = $1');
  // As a query of its own; otherwise PostgreSQL would scan all of the tenant's postings.
  asked.where('source_id = ANY (?::uuid[])', sourceIds);
  const text = `
SELECT source_id AS "sourceId", kind, from_account AS "fromAccount", to_account AS "toAccount",
  amount_minor AS "amountMinor", currency, created_at AS "createdAtMs"
FROM postings
WHERE ${asked.text} AND source_id <= $2 AND (source_id, kind) < ($2, $3)
ORDER BY source_id DESC, kind DESC LIMIT $4`;
  return database.query<ListedPosting>({ text }, asked.values);
}

/** The owner of the postings of a payment, refund, reversal, disbursement or settlement. */
export interface PostingOwner {
  merchantId: string;
  mode: 'live' | 'test';
}

/** By the id of the source alone, across tenants: along the key of each in turn. Undefined if nothing is booked. */
export const findPostingOwner = rowQuery<PostingOwner, [sourceId: string]>({
  name: 'postings.find_owner',
  text: `
SELECT t.merchant_id AS "merchantId", t.mode
FROM tenants t CROSS JOIN LATERAL (
  SELECT FROM postings WHERE tenant_id = t.id AND source_id = $1 LIMIT 1
) AS found
LIMIT 1`,
});
