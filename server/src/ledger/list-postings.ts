import type { Queryable } from '../postgres/database.ts';

/** A posting as it is stored. Amounts are in minor units. */
export interface ListedPosting {
  /** The payment, refund, reversal or settlement. */
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
  sourceId?: string | undefined;
  /** The last of the previous page. */
  after?: { sourceId: string; kind: string } | undefined;
}

/** After all ids and kinds: newest first begins here. */
const start = { sourceId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', kind: '~' };

/** The postings of a tenant, or of one thing of it, in the order of the key, the newest payments first. */
export function listPostings(
  database: Queryable,
  tenantId: string,
  { limit, sourceId, after = start }: PostingPage,
): Promise<ListedPosting[]> {
  const text = `
SELECT source_id AS "sourceId", kind, from_account AS "fromAccount", to_account AS "toAccount",
  amount_minor AS "amountMinor", currency, created_at AS "createdAtMs"
FROM postings
WHERE tenant_id = $1 AND source_id <= $2 AND (source_id, kind) < ($2, $3)
  AND ($4::uuid IS NULL OR source_id = $4)
ORDER BY source_id DESC, kind DESC LIMIT $5`;
  const values = [tenantId, after.sourceId, after.kind, sourceId ?? null, limit];
  return database.query<ListedPosting>({ text }, values);
}
