import type { Database, Queryable } from '../../platform/postgres/database.ts';

/** Over the postings of a FROM item: our fees, less those that were given back. */
export const feeMinor = `coalesce(sum(CASE kind WHEN 'debit_fee' THEN amount_minor
        WHEN 'disbursement_fee' THEN amount_minor WHEN 'disbursement_fee_back' THEN -amount_minor
        WHEN 'disbursement_charge_fee' THEN amount_minor END), 0)`;

/** The fees of disbursements, each of which moves the balance with its amount: not an item of its own. */
export const disbursementFeeKinds = `'disbursement_fee', 'disbursement_fee_back', 'disbursement_charge_fee'`;

/**
 * What was disbursed, less what came back and what was paid in for the balance. What a settlement left in the balance
 * adds nothing, unless only one of its two periods is summed up.
 */
export const disbursementMinor = `coalesce(sum(CASE kind WHEN 'disbursement_out' THEN amount_minor
        WHEN 'disbursement_back' THEN -amount_minor WHEN 'disbursement_charge' THEN amount_minor
        WHEN 'top_up' THEN -amount_minor
        WHEN 'kept_out' THEN amount_minor WHEN 'kept_in' THEN -amount_minor END), 0)`;

/** The amounts that move a merchant's balance, and their fee, which a statement shows beside the gross. */
const movesPayable = `(from_account = 'payable' OR to_account = 'payable' OR kind = 'debit_fee')`;

/** The postings of a FROM item by the hour in which they were booked. */
const sumsOf = (postings: string) => `
    SELECT tenant_id, currency, date_trunc('hour', created_at, 'UTC') AS hour,
      coalesce(sum(amount_minor) FILTER (WHERE kind IN ('debit_net', 'debit_fee')), 0) AS gross_minor,
      ${feeMinor} AS fee_minor,
      coalesce(sum(CASE kind WHEN 'refund_out' THEN amount_minor WHEN 'refund_back' THEN -amount_minor END), 0)
        AS refund_minor,
      ${disbursementMinor} AS disbursement_minor,
      coalesce(sum(CASE WHEN to_account = 'payouts_in_transit' THEN amount_minor
        WHEN from_account = 'payouts_in_transit' THEN -amount_minor END), 0) AS payout_minor
    FROM ${postings}
    WHERE ${movesPayable}
    GROUP BY 1, 2, 3`;

const addTo = (sums: string) => `
    INSERT INTO payable_hours AS h (tenant_id, currency, hour, gross_minor, fee_minor, refund_minor,
      disbursement_minor, payout_minor)
    SELECT tenant_id, currency, hour, gross_minor, fee_minor, refund_minor, disbursement_minor, payout_minor
    FROM (${sums}) AS sums
    ORDER BY tenant_id, currency, hour
    ON CONFLICT (tenant_id, currency, hour) DO UPDATE SET
      gross_minor = h.gross_minor + excluded.gross_minor,
      fee_minor = h.fee_minor + excluded.fee_minor,
      refund_minor = h.refund_minor + excluded.refund_minor,
      disbursement_minor = h.disbursement_minor + excluded.disbursement_minor,
      payout_minor = h.payout_minor + excluded.payout_minor`;

/** The CTE that adds the postings of the CTE `posting`. */
export const addPayableHours = `payable_hour AS (${addTo(sumsOf('posting'))}
  )`;

const columns = [
  'gross_minor',
  'fee_minor',
  'refund_minor',
  'disbursement_minor',
  'payout_minor',
] as const;
const difference = (column: string) => `coalesce(p.${column}, 0) - coalesce(h.${column}, 0)`;

/** The corrections that make the hours right: none if all is well. */
const differences = `
SELECT tenant_id, currency, hour, ${columns.map((column) => `${difference(column)} AS ${column}`).join(', ')}
FROM (${sumsOf('postings')}) AS p FULL JOIN payable_hours h USING (tenant_id, currency, hour)
WHERE ${columns.map((column) => `${difference(column)} <> 0`).join(' OR ')}`;

/** An hour that differs from the sum of its postings. */
export interface HourProblem {
  check: 'totals';
  tenantId: string;
  message: string;
}

/** Compares the hours with the postings, in the caller's snapshot. */
export async function hourProblems(snapshot: Queryable): Promise<HourProblem[]> {
  type Row = { tenantId: string; currency: string; hourMs: number; texts: string[] };
  const text = `
SELECT tenant_id AS "tenantId", currency, hour AS "hourMs",
  ARRAY[${columns.map((column) => `(-${column})::text`).join(', ')}] AS texts
FROM (${differences}) AS difference ORDER BY tenant_id, currency, hour`;
  const rows = await snapshot.query<Row>({ text });
  return rows.map(({ tenantId, currency, hourMs, texts }) => {
    const [gross, fee, refund, disbursed, payout] = texts;
    const hour = `the hour from ${new Date(hourMs).toISOString()} in ${currency}`;
    const off = `${gross} of payments, ${fee} of fees, ${refund} of refunds, ${disbursed} of disbursements and ${payout} of payouts`;
    return { check: 'totals', tenantId, message: `${hour} is off by ${off}` };
  });
}

/**
 * Corrects hours that older programs did not count, while the gateway runs: the difference found in the snapshot of
 * one statement is added to the hour's current value. Returns how many hours it changed.
 */
export function recountHours(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    // Two runs at once would add the same difference twice.
    await transaction.query({ text: 'SELECT pg_advisory_xact_lock(2053729634, 24)' });
    const text = `WITH added AS (${addTo(differences)} RETURNING 1) SELECT count(*)::integer AS count FROM added`;
    const [row] = await transaction.query<{ count: number }>({ text });
    return row!.count;
  });
}
