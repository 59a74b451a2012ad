import type { Database } from '../../platform/postgres/database.ts';
import type { PostingKind } from './postings.ts';

/** A posting with its owner's name in full. */
export interface ExportedPosting {
  tenantId: string;
  merchantId: string;
  mode: 'live' | 'test';
  sourceId: string;
  kind: PostingKind;
  fromAccount: string;
  toAccount: string;
  currency: string;
  amountMinor: bigint;
  createdAtMs: number;
}

/**
 * By the primary key: each page is an index scan along it, however many postings there are.
 */
const pageStatement = {
  text: `
SELECT p.tenant_id AS "tenantId", t.merchant_id AS "merchantId", t.mode, p.source_id AS "sourceId",
  p.kind, p.from_account AS "fromAccount", p.to_account AS "toAccount", p.currency,
  p.amount_minor AS "amountMinor", p.created_at AS "createdAtMs"
FROM (
  SELECT * FROM postings
  WHERE (tenant_id, source_id, kind) > ($1, $2, $3)
  ORDER BY tenant_id, source_id, kind LIMIT $4
) AS p
LEFT JOIN tenants t ON t.id = p.tenant_id
ORDER BY p.tenant_id, p.source_id, p.kind`,
};

const zeroId = '00000000-0000-0000-0000-000000000000';

/**
 * Passes on every posting of one instant, page by page, by tenant and in the order in which their sources were
 * created. The next page is read when the caller has finished the last one.
 */
export function exportPostings(
  database: Database,
  take: (page: ExportedPosting[]) => Promise<void>,
  pageSize = 5_000,
): Promise<void> {
  return database.transaction(async (snapshot) => {
    await snapshot.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    // The reader may pause between pages.
    await snapshot.query({ text: 'SET LOCAL idle_in_transaction_session_timeout = 0' });
    let after: [string, string, string] = [zeroId, zeroId, ''];
    for (;;) {
      const page = await snapshot.query<ExportedPosting>(pageStatement, [...after, pageSize]);
      // Postings without a tenant must not make a page look like the last one.
      const owned = page.filter(({ merchantId }) => merchantId !== null);
      if (owned.length > 0) await take(owned);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = [last.tenantId, last.sourceId, last.kind];
    }
  });
}
