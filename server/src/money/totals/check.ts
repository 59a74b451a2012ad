import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { bucketOf } from './confirmation-time.ts';
import { allDeltas, daysOfHour, dayTotalKey, hourOf, totalColumns, totalKey } from './count.ts';

/** Totals that differ from the sums of payments and refunds, or of their postings. */
export interface TotalsProblem {
  check: 'totals';
  tenantId: string;
  message: string;
}

/** The counted sums: folded totals, and deltas not folded yet. */
const counted = `
  SELECT ${totalKey}, sum(item_count) AS item_count, sum(amount_minor) AS amount_minor,
    sum(fee_minor) AS fee_minor
  FROM (${allDeltas}) AS part
  GROUP BY ${totalKey}`;

/** The sums that should be counted. A posting says when a payment was debited. */
const expected = `
  SELECT p.tenant_id, ${hourOf('p.created_at')} AS hour, p.operator, p.currency, outcome,
    CASE outcome WHEN 'SUCCEEDED' THEN '' ELSE coalesce(p.failure_code, '') END AS failure_code,
    CASE outcome WHEN 'SUCCEEDED' THEN coalesce(${bucketOf('d.created_at - p.created_at')}, 0)
      ELSE 0 END AS confirm_bucket,
    count(*) AS item_count, sum(p.amount_minor) AS amount_minor, sum(p.fee_minor) AS fee_minor
  FROM payments p
  CROSS JOIN LATERAL (SELECT CASE
    WHEN p.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED') THEN 'SUCCEEDED'
    WHEN p.status IN ('FAILED', 'EXPIRED', 'CANCELLED') THEN p.status END AS outcome) AS ended
  LEFT JOIN postings d
    ON d.tenant_id = p.tenant_id AND d.source_id = p.id AND d.kind = 'debit_net'
  WHERE outcome IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  UNION ALL
  SELECT tenant_id, ${hourOf('created_at')}, operator, currency, 'REFUNDED', '', 0,
    count(*), sum(amount_minor), 0
  FROM refunds WHERE status = 'SUCCEEDED'
  GROUP BY 1, 2, 3, 4`;

/** The corrections that make the totals right, by key: none if all is well. */
const differences = `
  SELECT ${totalKey}, coalesce(e.item_count, 0) - coalesce(c.item_count, 0) AS item_count,
    coalesce(e.amount_minor, 0) - coalesce(c.amount_minor, 0) AS amount_minor,
    coalesce(e.fee_minor, 0) - coalesce(c.fee_minor, 0) AS fee_minor
  FROM (${expected}) AS e FULL JOIN (${counted}) AS c USING (${totalKey})
  WHERE (coalesce(e.item_count, 0), coalesce(e.amount_minor, 0), coalesce(e.fee_minor, 0))
    <> (coalesce(c.item_count, 0), coalesce(c.amount_minor, 0), coalesce(c.fee_minor, 0))`;

const wrongTotals = {
  text: `
SELECT tenant_id AS "tenantId", hour AS "hourMs", operator, currency, outcome,
  (-item_count)::text AS count, (-amount_minor)::text AS amount, (-fee_minor)::text AS fee
FROM (${differences}) AS difference
ORDER BY ${totalKey}`,
};

/** Over all hours, compares totals of money that moved with the postings that moved it. */
const unbookedTotals = {
  text: `
SELECT tenant_id AS "tenantId", account, currency, outcome,
  coalesce(c.amount, 0)::text AS amount, coalesce(c.fee, 0)::text AS fee,
  coalesce(b.amount, 0)::text AS "bookedAmount", coalesce(b.fee, 0)::text AS "bookedFee"
FROM (
  SELECT tenant_id, 'operator:' || operator AS account, currency, outcome,
    sum(amount_minor) AS amount, sum(fee_minor) AS fee
  FROM (${allDeltas}) AS part
  WHERE outcome IN ('SUCCEEDED', 'REFUNDED')
  GROUP BY 1, 2, 3, 4
) AS c
FULL JOIN (
  SELECT tenant_id, CASE kind WHEN 'refund_done' THEN to_account ELSE from_account END AS account,
    currency, CASE kind WHEN 'refund_done' THEN 'REFUNDED' ELSE 'SUCCEEDED' END AS outcome,
    sum(amount_minor) AS amount,
    coalesce(sum(amount_minor) FILTER (WHERE kind = 'debit_fee'), 0) AS fee
  FROM postings WHERE kind IN ('debit_net', 'debit_fee', 'refund_done')
  GROUP BY 1, 2, 3, 4
) AS b USING (tenant_id, account, currency, outcome)
WHERE (coalesce(c.amount, 0), coalesce(c.fee, 0)) <> (coalesce(b.amount, 0), coalesce(b.fee, 0))
ORDER BY 1, 2, 3, 4`,
};

/** The sum of the hours of each day. */
const summedDays = `
  SELECT ${dayTotalKey}, sum(item_count) AS item_count, sum(amount_minor) AS amount_minor,
    sum(fee_minor) AS fee_minor
  FROM payment_totals CROSS JOIN LATERAL ${daysOfHour}
  GROUP BY ${dayTotalKey}`;

const wrongDays = {
  text: `
SELECT tenant_id AS "tenantId", day_start AS "dayMs", count(*)::integer AS count
FROM (${summedDays}) AS h FULL JOIN payment_day_totals d USING (${dayTotalKey})
WHERE (coalesce(h.item_count, 0), coalesce(h.amount_minor, 0), coalesce(h.fee_minor, 0))
  <> (coalesce(d.item_count, 0), coalesce(d.amount_minor, 0), coalesce(d.fee_minor, 0))
GROUP BY 1, 2 ORDER BY 1, 2`,
};

/** Compares the totals with payments and refunds hour by hour, and with the postings; all in the caller's snapshot. */
export async function totalsProblems(snapshot: Queryable): Promise<TotalsProblem[]> {
  const wrong = await snapshot.query<Wrong>(wrongTotals);
  const unbooked = await snapshot.query<Unbooked>(unbookedTotals);
  const days = await snapshot.query<{ tenantId: string; dayMs: number; count: number }>(wrongDays);
  return [
    ...days.map(({ tenantId, dayMs, count }) => {
      const day = new Date(dayMs).toISOString();
      const message = `${count} totals of the day from ${day} are not what its hours add up to`;
      return { check: 'totals' as const, tenantId, message };
    }),
    ...wrong.map(({ tenantId, hourMs, operator, currency, outcome, count, amount, fee }) => {
      const hour = new Date(hourMs).toISOString();
      const what = `${outcome} of ${operator} in ${currency} in the hour from ${hour}`;
      const message = `the totals are off by ${count} ${what}, by ${amount} and fees of ${fee}`;
      return { check: 'totals' as const, tenantId, message };
    }),
    ...unbooked.map((row) => {
      const { tenantId, account, currency, outcome, amount, fee } = row;
      const said = `the totals say that ${amount} ${currency} with fees of ${fee} ${outcome} at ${account}`;
      const message = `${said}, but the postings ${row.bookedAmount} with ${row.bookedFee}`;
      return { check: 'totals' as const, tenantId, message };
    }),
  ];
}

interface Wrong {
  tenantId: string;
  hourMs: number;
  operator: string;
  currency: string;
  outcome: string;
  count: string;
  amount: string;
  fee: string;
}

interface Unbooked {
  tenantId: string;
  account: string;
  currency: string;
  outcome: string;
  amount: string;
  fee: string;
  bookedAmount: string;
  bookedFee: string;
}

// The only statement that must not run twice at once: both would add the same difference.
const lockStatement = { text: 'SELECT pg_advisory_xact_lock(2053729634, 22)' };

const recountStatement = {
  text: `
WITH added AS (
  INSERT INTO payment_total_deltas (${totalColumns}) SELECT ${totalColumns} FROM (${differences}) AS difference
  RETURNING 1
)
SELECT count(*)::integer AS count FROM added`,
};

/**
 * Corrects totals that older programs did not count, while the gateway runs: the difference is appended like any
 * other delta, from the snapshot in which it was found. Returns how many totals it changes.
 */
export function recountTotals(database: Database): Promise<number> {
  return database.transaction(async (transaction) => {
    await transaction.query(lockStatement);
    const [row] = await transaction.query<{ count: number }>(recountStatement);
    if ((await transaction.query(wrongDays)).length > 0) {
      // Nothing is folded meanwhile.
      for (const text of rebuildDays) await transaction.query({ text });
    }
    return row!.count;
  });
}

const rebuildDays = [
  'LOCK TABLE payment_totals, payment_day_totals IN SHARE ROW EXCLUSIVE MODE',
  'DELETE FROM payment_day_totals',
  `INSERT INTO payment_day_totals ${summedDays}`,
];
