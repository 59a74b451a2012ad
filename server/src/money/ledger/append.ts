import { rowsOf } from '../../platform/postgres/statement.ts';
import {
  addPayableHours,
  disbursementFeeKinds,
  disbursementMinor,
  feeMinor,
} from './payable-hours.ts';
import type { Posting } from './postings.ts';

/** Each moves "payable" by itself and belongs to a period; a debit's fee is only counted with it. */
const periodKinds = `'debit_net', 'refund_out', 'refund_back',
      'disbursement_out', 'disbursement_back', 'disbursement_charge', 'top_up', 'kept_in',
      ${disbursementFeeKinds}`;

/**
 * Common table expressions that append postings and move balances, for use in the statement of the
 * change they belong to. They need a CTE `new_posting` with the columns of {@link postingRows}.
 *
 * Postings that touch "payable" are counted in `unsettled` first, and stamped with the period that is open there: a
 * settlement's cut locks the same row, so it takes exactly the postings that have moved the balance. What it leaves in
 * the balance leaves the period that it has just closed, and begins the next one. Sums come before updates (one per account and batch) and in one order, so that batches in flight cannot deadlock.
 */
export const appendPostings = `
  opened AS (
    INSERT INTO unsettled AS u (tenant_id, currency, period, gross_minor, fee_minor, refund_minor,
      disbursement_minor, item_count, first_item_at, first_debit_at)
    SELECT tenant_id, currency, 1,
      coalesce(sum(amount_minor) FILTER (WHERE kind IN ('debit_net', 'debit_fee')), 0),
      ${feeMinor},
      coalesce(sum(CASE kind WHEN 'refund_out' THEN amount_minor WHEN 'refund_back' THEN -amount_minor END), 0),
      ${disbursementMinor},
      count(*) FILTER (WHERE kind NOT IN ('debit_fee', ${disbursementFeeKinds})),
      min(created_at), min(created_at) FILTER (WHERE kind = 'debit_net')
    FROM new_posting
    WHERE kind IN ('debit_fee', ${periodKinds})
    GROUP BY tenant_id, currency
    ORDER BY tenant_id, currency
    ON CONFLICT (tenant_id, currency) DO UPDATE SET
      gross_minor = u.gross_minor + excluded.gross_minor,
      fee_minor = u.fee_minor + excluded.fee_minor,
      refund_minor = u.refund_minor + excluded.refund_minor,
      disbursement_minor = u.disbursement_minor + excluded.disbursement_minor,
      item_count = u.item_count + excluded.item_count,
      first_item_at = coalesce(u.first_item_at, excluded.first_item_at),
      first_debit_at = coalesce(u.first_debit_at, excluded.first_debit_at)
    RETURNING tenant_id, currency, period
  ),
  posting AS (
    INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor,
      created_at, period)
    SELECT n.tenant_id, n.source_id, n.kind, n.from_account, n.to_account, n.currency, n.amount_minor,
      n.created_at,
      CASE WHEN n.kind IN (${periodKinds}) THEN opened.period
        WHEN n.kind = 'kept_out' THEN opened.period - 1 END
    FROM new_posting n
    LEFT JOIN opened ON opened.tenant_id = n.tenant_id AND opened.currency = n.currency
    RETURNING tenant_id, kind, from_account, to_account, currency, amount_minor, created_at
  ),
  ${addPayableHours},
  balance AS (
    INSERT INTO balances AS b (tenant_id, account, currency, balance_minor)
    SELECT tenant_id, account, currency, sum(change_minor)
    FROM (
      SELECT tenant_id, from_account AS account, currency, -amount_minor AS change_minor FROM posting
      UNION ALL
      SELECT tenant_id, to_account, currency, amount_minor FROM posting
    ) AS movement
    GROUP BY tenant_id, account, currency
    ORDER BY tenant_id, account, currency
    ON CONFLICT (tenant_id, account, currency)
      DO UPDATE SET balance_minor = b.balance_minor + excluded.balance_minor
  )`;

/** The postings passed to a statement, as the FROM item `given_posting`. */
export const postingRows = rowsOf<Posting>(
  {
    tenant_id: ['uuid', (posting) => posting.tenantId],
    source_id: ['uuid', (posting) => posting.sourceId],
    kind: ['text', (posting) => posting.kind],
    from_account: ['text', (posting) => posting.from],
    to_account: ['text', (posting) => posting.to],
    currency: ['text', (posting) => posting.currency],
    amount_minor: ['bigint', (posting) => posting.amountMinor],
    created_at: ['timestamptz', (posting) => posting.createdAtMs],
  },
  'given_posting',
);

/** The CTE `new_posting`: the given postings of those rows that the statement changed. */
export const newPostings = (postings: string, changed: string) => `new_posting AS (
  SELECT given_posting.* FROM ${postings}
  JOIN ${changed} AS changed
    ON changed.tenant_id = given_posting.tenant_id AND changed.id = given_posting.source_id
)`;
