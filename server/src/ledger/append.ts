import { instantArray, plainArray } from '../platform/arrays.ts';
import type { Posting } from './posting.ts';

/**
 * Common table expressions that append postings and move balances, for use in the statement of the
 * change they belong to. They need a CTE `new_posting` with the columns of the table `postings`.
 * Balances are summed first: one update per account and batch, in one order, so that batches in
 * flight cannot deadlock.
 */
export const appendPostings = `
  posting AS (
    INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
    SELECT tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at
    FROM new_posting
  ),
  balance AS (
    INSERT INTO balances AS b (tenant_id, account, currency, balance_minor)
    SELECT tenant_id, account, currency, sum(change_minor)::bigint
    FROM (
      SELECT tenant_id, from_account AS account, currency, -amount_minor AS change_minor FROM new_posting
      UNION ALL
      SELECT tenant_id, to_account, currency, amount_minor FROM new_posting
    ) AS movement
    GROUP BY tenant_id, account, currency
    ORDER BY tenant_id, account, currency
    ON CONFLICT (tenant_id, account, currency)
      DO UPDATE SET balance_minor = b.balance_minor + excluded.balance_minor
  )`;

/** The FROM item `given_posting` of the arrays that {@link postingValues} gives, from parameter `first` on. */
export function givenPostings(first: number): string {
  const types = ['uuid', 'uuid', 'text', 'text', 'text', 'text', 'bigint', 'timestamptz'];
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
  return `unnest(${arrays}) AS given_posting (
    tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)`;
}

/** The arrays of {@link givenPostings}. */
export function postingValues(postings: readonly Posting[]): string[] {
  return [
    plainArray(postings.map((posting) => posting.tenantId)),
    plainArray(postings.map((posting) => posting.sourceId)),
    plainArray(postings.map((posting) => posting.kind)),
    plainArray(postings.map((posting) => posting.from)),
    plainArray(postings.map((posting) => posting.to)),
    plainArray(postings.map((posting) => posting.currency)),
    plainArray(postings.map((posting) => posting.amountMinor)),
    instantArray(postings.map((posting) => posting.createdAtMs)),
  ];
}
