import type { Database, Queryable } from '../../platform/postgres/database.ts';

/** What moves the balance of a merchant, and the fee of it, which a statement shows beside the gross. */
const movesPayable = `(from_account = 'payable' OR to_account = 'payable' OR kind = 'debit_fee')`;

/** The postings of a FROM item by the hour in which they were booked. */
const sumsOf = (postings: string) => `
    SELECT tenant_id, currency, date_trunc('hour', created_at, 'UTC') AS hour,
      coalesce(sum(amount_minor) FILTER (WHERE kind IN ('debit_net', 'debit_fee')), 0) AS gross_minor,
      coalesce(sum(amount_minor) FILTER (WHERE kind = 'debit_fee'), 0) AS fee_minor,
      coalesce(sum(CASE kind WHEN 'refund_out' THEN amount_minor WHEN 'refund_back' THEN -amount_minor END), 0)
        AS refund_minor,
      coalesce(sum(CASE WHEN to_account = 'payouts_in_transit' THEN amount_minor
        WHEN from_account = 'payouts_in_transit' THEN -amount_minor END), 0) AS payout_minor
    FROM ${postings}
    WHERE ${movesPayable}
    GROUP BY 1, 2, 3`;

const addTo = (sums: string) => `
    INSERT INTO payable_hours AS h (tenant_id, currency, hour, gross_minor, fee_minor, refund_minor, payout_minor)
    SELECT tenant_id, currency, hour, gross_minor, fee_minor, refund_minor, payout_minor
    FROM (${sums}) AS sums
    ORDER BY tenant_id, currency, hour
    ON CONFLICT (tenant_id, currency, hour) DO UPDATE SET
      gross_minor = h.gross_minor + excluded.gross_minor,
      fee_minor = h.fee_minor + excluded.fee_minor,
      refund_minor = h.refund_minor + excluded.refund_minor,
      payout_minor = h.payout_minor + excluded.payout_minor`;

/** The CTE that adds what the CTE `posting` has appended. */
export const addPayableHours = `payable_hour AS (${addTo(sumsOf('posting'))}
  )`;

const columns = ['gross_minor', 'fee_minor', 'refund_minor', 'payout_minor'] as const;
const difference = (column: string) => `coalesce(p.${column}, 0) - coalesce(h.${column}, 0)`;

/** What must be added so that the hours are right: nothing, where all is well. */
const differences = `
SELECT tenant_id, currency, hour, ${columns.map((column) => `${difference(column)} AS ${column}`).join(', ')}
FROM (${sumsOf('postings')}) AS p FULL JOIN payable_hours h USING (tenant_id, currency, hour)
WHERE ${columns.map((column) => `${difference(column)} <> 0`).join(' OR ')}`;

/** An hour that is not what its postings add up to. */
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
    const [gross, fee, refund, payout] = texts;
    const hour = `the hour from ${new Date(hourMs).toISOString()} in ${currency}`;
    const off = `${gross} of payments, ${fee} of fees, ${refund} of refunds and ${payout} of payouts`;
    return { check: 'totals', tenantId, message: `${hour} is off by ${off}` };
  });
}

/**
 * Makes up for what programs of before did not add, while the gateway runs: what is found in the snapshot of
 * one statement is added to whatever is there by then. Gives how many hours it changes.
 */
export function recountHours(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    // Two at once would add the same.
    await transaction.query({ text: 'SELECT pg_advisory_xact_lock(2053729634, 24)' });
    const text = `WITH added AS (${addTo(differences)} RETURNING 1) SELECT count(*)::integer AS count FROM added`;
    const [row] = await transaction.query<{ count: number }>({ text });
    return row!.count;
  });
}
