import { bucketOf } from './confirmation-time.ts';

/**
 * Common table expressions that count payments and refunds in the statement of their transition: a row that did not
 * move is not counted, and nothing is counted twice. Payments and refunds of a batch with the same key are one delta.
 */

/** The key of a total. */
export const totalKey =
  'tenant_id, hour, operator, currency, outcome, failure_code, confirm_bucket';
export const totalColumns = `${totalKey}, item_count, amount_minor, fee_minor`;

/** The key of a daily total. */
export const dayTotalKey = totalKey.replace('hour', 'day_start');

/** The hours of UTC at which days with totals begin: in Cape Verde and in Angola, all year round. */
export const dayStartHours = [1, 23];

/** The days that an hour belongs to: one for each of these places. */
export const daysOfHour = `(VALUES
    (date_trunc('day', hour - INTERVAL '1 hour', 'UTC') + INTERVAL '1 hour'),
    (date_trunc('day', hour + INTERVAL '1 hour', 'UTC') - INTERVAL '1 hour')
  ) AS day (day_start)`;

/** The hour that counts an item: that of its creation, which never changes. */
export const hourOf = (createdAt: string) => `date_trunc('hour', ${createdAt}, 'UTC')`;

/** The outcome of a payment by its status, as SQL; NULL if it has none yet, or had one before. */
const countedStatuses = `('DEBITED', 'FAILED', 'EXPIRED', 'CANCELLED')`;

/**
 * Needs a CTE `moved` of payments as they are after their transition. No transition leads from a counted status to
 * another, so each payment is counted once, when it reaches its outcome.
 */
export const countPayments = `
counted AS (
  INSERT INTO payment_total_deltas (${totalColumns})
  SELECT tenant_id, ${hourOf('created_at')}, operator, currency,
    CASE status WHEN 'DEBITED' THEN 'SUCCEEDED' ELSE status END,
    CASE status WHEN 'DEBITED' THEN '' ELSE coalesce(failure_code, '') END,
    CASE status WHEN 'DEBITED' THEN ${bucketOf('updated_at - created_at')} ELSE 0 END,
    count(*), sum(amount_minor), sum(fee_minor)
  FROM moved WHERE status IN ${countedStatuses}
  GROUP BY 1, 2, 3, 4, 5, 6, 7
)`;

/** The columns that `moved` needs for {@link countPayments}, of payments `p`. */
export const countedOfPayment =
  'p.operator, p.currency, p.status, p.failure_code, p.amount_minor, p.fee_minor, p.created_at, p.updated_at';

/** Needs a CTE `moved` of refunds as they are after their transition. */
export const countRefunds = `
counted AS (
  INSERT INTO payment_total_deltas (${totalColumns})
  SELECT tenant_id, ${hourOf('created_at')}, operator, currency, 'REFUNDED', '', 0,
    count(*), sum(amount_minor), 0
  FROM moved WHERE status = 'SUCCEEDED'
  GROUP BY 1, 2, 3, 4
)`;

/** The columns that `moved` needs for {@link countRefunds}, of refunds `r`. */
export const countedOfRefund = 'r.operator, r.currency, r.status, r.amount_minor, r.created_at';

/** All counted sums, folded or not; in one statement, so that each delta is counted once. */
export const allDeltas = `
    SELECT ${totalColumns} FROM payment_totals
    UNION ALL SELECT ${totalColumns} FROM payment_total_deltas`;
