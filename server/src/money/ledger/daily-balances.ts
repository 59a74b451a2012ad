import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';

/** What moved the balance; all amounts in minor units, including those that lower it. */
export interface Movement {
  /** What customers paid. */
  grossMinor: bigint;
  feeMinor: bigint;
  /** Refunded to customers, less refunds that failed. */
  refundMinor: bigint;
  /** Disbursed to wallets, less what came back. */
  disbursementMinor: bigint;
  /** Paid out to the bank, less payouts that failed. */
  payoutMinor: bigint;
}

export interface BalanceDay extends Movement {
  /** `2026-11-01` */
  day: string;
  /** The balance at the end of the day. */
  closingMinor: bigint;
}

/** The balance over some days; only days with movements are listed. */
export interface BalanceDays {
  openingMinor: bigint;
  closingMinor: bigint;
  days: BalanceDay[];
  total: Movement;
  /** Whether there were movements before. */
  hasEarlier: boolean;
}

export interface DaysQuestion {
  tenantId: string;
  currency: string;
  /** `2026-11-01`: the first day, and the day after the last one. */
  from: string;
  until: string;
  timeZone: string;
}

const localHour = (timeZone: string) => `hour AT TIME ZONE ${timeZone}`;

// Computed backwards from the present balance: only the hours since the first day are read.
const daysStatement = prepare({
  name: 'payable_hours.days',
  given: { tenantId: 'uuid', currency: 'text', from: 'text', until: 'text', timeZone: 'text' },
  text: ({ tenantId, currency, from, until, timeZone }) => `
WITH range AS (
  SELECT ${from}::date::timestamp AT TIME ZONE ${timeZone} AS from_hour,
    ${until}::date::timestamp AT TIME ZONE ${timeZone} AS until_hour
),
later AS (
  SELECT sum(gross_minor - fee_minor - refund_minor - disbursement_minor - payout_minor) AS moved_minor
  FROM payable_hours
  WHERE tenant_id = ${tenantId} AND currency = ${currency} AND hour >= (SELECT until_hour FROM range)
),
day AS (
  SELECT to_char(${localHour(timeZone)}, 'YYYY-MM-DD') AS day, sum(gross_minor) AS gross_minor,
    sum(fee_minor) AS fee_minor, sum(refund_minor) AS refund_minor,
    sum(disbursement_minor) AS disbursement_minor, sum(payout_minor) AS payout_minor
  FROM payable_hours
  WHERE tenant_id = ${tenantId} AND currency = ${currency}
    AND hour >= (SELECT from_hour FROM range) AND hour < (SELECT until_hour FROM range)
  GROUP BY 1
)
SELECT day.day, gross_minor AS "grossMinor", fee_minor AS "feeMinor", refund_minor AS "refundMinor",
  disbursement_minor AS "disbursementMinor", payout_minor AS "payoutMinor",
  coalesce((
    SELECT balance_minor FROM balances
    WHERE tenant_id = ${tenantId} AND currency = ${currency} AND account = 'payable'
  ), 0) - coalesce((SELECT moved_minor FROM later), 0) AS "endMinor",
  EXISTS (
    SELECT FROM payable_hours
    WHERE tenant_id = ${tenantId} AND currency = ${currency} AND hour < (SELECT from_hour FROM range)
  ) AS "hasEarlier"
FROM (SELECT 1) AS once LEFT JOIN day ON true
ORDER BY day.day`,
});

interface Row extends Movement {
  /** Null if there were no movements at all. */
  day: string | null;
  endMinor: bigint;
  hasEarlier: boolean;
}

/** The days of a range with the balance at the end of each, from one snapshot, so that they add up to the balance. */
export async function readBalanceDays(
  database: Queryable,
  question: DaysQuestion,
): Promise<BalanceDays> {
  const rows = await daysStatement.run<Row>(database, { ...question });
  const { endMinor: closingMinor, hasEarlier } = rows[0]!;
  const moved = rows.flatMap((row) => (row.day === null ? [] : [{ ...row, day: row.day }]));
  const sum = (field: keyof Movement) => moved.reduce((minor, row) => minor + row[field], 0n);
  const total: Movement = {
    grossMinor: sum('grossMinor'),
    feeMinor: sum('feeMinor'),
    refundMinor: sum('refundMinor'),
    disbursementMinor: sum('disbursementMinor'),
    payoutMinor: sum('payoutMinor'),
  };
  const openingMinor = closingMinor - netOf(total);
  let balanceMinor = openingMinor;
  const days = moved.map(({ endMinor: _end, hasEarlier: _earlier, ...row }) => {
    balanceMinor += netOf(row);
    return { ...row, closingMinor: balanceMinor };
  });
  return { openingMinor, closingMinor, days, total, hasEarlier };
}

const netOf = ({ grossMinor, feeMinor, refundMinor, disbursementMinor, payoutMinor }: Movement) =>
  grossMinor - feeMinor - refundMinor - disbursementMinor - payoutMinor;
