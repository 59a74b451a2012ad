import { randomUUID } from 'node:crypto';
import { appendPostings, postingRows } from '../../src/money/ledger/append.ts';
import {
  debitPostings,
  disbursementPostings,
  type Posting,
  payoutPostings,
  returnPosting,
} from '../../src/money/ledger/postings.ts';
import type { Database } from '../../src/platform/postgres/database.ts';

interface Tenant {
  database: Database;
  tenantId: string;
}

export type Booked =
  | 'debit'
  | 'refund_out'
  | 'refund_back'
  | 'disbursement_out'
  | 'disbursement_back'
  | 'payout_out'
  | 'payout_done'
  | 'payout_back';

/** Books a transaction of MOCK at a past instant; debits and disbursements have a fee of 2 %. */
export async function book(
  { database, tenantId }: Tenant,
  kind: Booked,
  id: string = randomUUID(),
  amountMinor = 10_000n,
  atMs = Date.now(),
  currency = 'CVE',
): Promise<void> {
  const common = { tenantId, id, operator: 'MOCK', currency, amountMinor };
  const postings = postingsOf({ ...common, netMinor: amountMinor }, kind, atMs);
  const text = `WITH new_posting AS (SELECT * FROM ${postingRows.sql(1)}), ${appendPostings} SELECT`;
  await database.query({ text }, postingRows.values(postings));
}

function postingsOf(
  given: Parameters<typeof payoutPostings>[0] & Parameters<typeof returnPosting>[0],
  kind: Booked,
  atMs: number,
): Posting[] {
  const charged = { ...given, feeMinor: given.amountMinor / 50n };
  if (kind === 'debit') return debitPostings(charged, atMs);
  if (kind === 'disbursement_out') return disbursementPostings(charged, 'CREATED', atMs);
  if (kind === 'disbursement_back') return disbursementPostings(charged, 'GIVEN_BACK', atMs);
  if (kind === 'refund_out' || kind === 'refund_back') {
    return [returnPosting(given, kind, atMs)];
  }
  return payoutPostings(given, kind, atMs);
}

/**
 * The daily movements of "payable" and the balance after each day, computed from the postings
 * alone, to check the code's result.
 */
export function movedByPostings(
  { database, tenantId }: Tenant,
  timeZone: string,
): Promise<{ day: string; movedMinor: bigint; closingMinor: bigint }[]> {
  const text = `
SELECT day, sum(moved) AS "movedMinor", sum(sum(moved)) OVER (ORDER BY day) AS "closingMinor"
FROM (
  SELECT (created_at AT TIME ZONE $2)::date::text AS day,
    CASE WHEN to_account = 'payable' THEN amount_minor ELSE -amount_minor END AS moved
  FROM postings WHERE tenant_id = $1 AND 'payable' IN (from_account, to_account)
) AS movement
GROUP BY day ORDER BY day`;
  return database.query({ text }, [tenantId, timeZone]);
}
