import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { feeKindOf } from './payable-postings.ts';

/** What customers paid, or what was disbursed, through an operator, and our fees of that. Amounts are in minor units. */
export interface OperatorFees {
  operator: string;
  count: bigint;
  grossMinor: bigint;
  feeMinor: bigint;
}

const given = {
  tenantId: 'uuid',
  currency: 'text',
  from: 'timestamptz',
  until: 'timestamptz',
} as const;

// Found by period, as in payable-postings.ts, which says why beyond its edges.
const periods = ({ tenantId, currency, from, until }: Record<keyof typeof given, string>) => `
WITH period AS (
  SELECT sp.period FROM settlement_periods sp
  LEFT JOIN settlements s ON s.tenant_id = ${tenantId} AND s.id = sp.settlement_id
  WHERE sp.tenant_id = ${tenantId} AND sp.currency = ${currency}
    AND sp.started_at < ${until} + INTERVAL '1 hour'
    AND (s.period_end IS NULL OR s.period_end > ${from} - INTERVAL '1 hour')
  UNION ALL
  SELECT period FROM unsettled
  WHERE tenant_id = ${tenantId} AND currency = ${currency} AND first_item_at < ${until} + INTERVAL '1 hour'
)`;

const feesStatement = prepare({
  name: 'postings.fees_by_operator',
  given,
  text: ({ tenantId, currency, from, until }) => `
${periods({ tenantId, currency, from, until })}
SELECT substr(o.from_account, length('operator:') + 1) AS operator, count(*) AS count,
  sum(o.amount_minor + coalesce(fee.amount_minor, 0)) AS "grossMinor",
  sum(coalesce(fee.amount_minor, 0)) AS "feeMinor"
FROM period JOIN postings o
  ON o.tenant_id = ${tenantId} AND o.currency = ${currency} AND o.period = period.period
LEFT JOIN postings fee
  ON fee.tenant_id = ${tenantId} AND fee.source_id = o.source_id AND fee.kind = 'debit_fee'
WHERE o.kind = 'debit_net' AND o.created_at >= ${from} AND o.created_at < ${until}
GROUP BY o.from_account ORDER BY o.from_account`,
});

// What came back counts against what went out, perhaps in an earlier month. Only its own row names the operator.
const disbursementFeesStatement = prepare({
  name: 'postings.disbursement_fees_by_operator',
  given,
  text: ({ tenantId, currency, from, until }) => `
${periods({ tenantId, currency, from, until })},
moved AS (
  SELECT o.source_id, o.kind, o.amount_minor, CASE o.kind WHEN 'disbursement_back' THEN -1 ELSE 1 END AS sign
  FROM period JOIN postings o
    ON o.tenant_id = ${tenantId} AND o.currency = ${currency} AND o.period = period.period
  WHERE o.kind IN ('disbursement_out', 'disbursement_back', 'disbursement_charge')
    AND o.created_at >= ${from} AND o.created_at < ${until}
)
SELECT d.operator, sum(moved.sign) AS count, sum(moved.sign * moved.amount_minor) AS "grossMinor",
  sum(moved.sign * coalesce(fee.amount_minor, 0)) AS "feeMinor"
FROM moved
CROSS JOIN LATERAL (
  SELECT operator FROM disbursements WHERE tenant_id = ${tenantId} AND id = moved.source_id OFFSET 0
) AS d
LEFT JOIN postings fee
  ON fee.tenant_id = ${tenantId} AND fee.source_id = moved.source_id AND fee.kind = ${feeKindOf('moved.kind')}
GROUP BY d.operator ORDER BY d.operator`,
});

const toppedUpStatement = prepare({
  name: 'postings.topped_up',
  given,
  text: ({ tenantId, currency, from, until }) => `
${periods({ tenantId, currency, from, until })}
SELECT coalesce(sum(o.amount_minor), 0) AS minor
FROM period JOIN postings o
  ON o.tenant_id = ${tenantId} AND o.currency = ${currency} AND o.period = period.period
WHERE o.kind = 'top_up' AND o.created_at >= ${from} AND o.created_at < ${until}`,
});

interface Question {
  tenantId: string;
  currency: string;
  from: number;
  until: number;
}

/** The fees of payments that the ledger booked between two instants, by operator. */
export const feesByOperator = (database: Queryable, question: Question): Promise<OperatorFees[]> =>
  feesStatement.run<OperatorFees>(database, { ...question });

/** The same of disbursements, less those that came back: all may be negative. */
export const disbursementFeesByOperator = (
  database: Queryable,
  question: Question,
): Promise<OperatorFees[]> =>
  disbursementFeesStatement.run<OperatorFees>(database, { ...question });

/** What was paid in for the balance between two instants, which counts against what was disbursed. */
export async function toppedUpMinor(database: Queryable, question: Question): Promise<bigint> {
  const [row] = await toppedUpStatement.run<{ minor: bigint }>(database, { ...question });
  return BigInt(row!.minor);
}
