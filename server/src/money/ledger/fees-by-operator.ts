import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';

/** What customers paid through an operator, and our fees of that. Amounts are in minor units. */
export interface OperatorFees {
  operator: string;
  count: bigint;
  grossMinor: bigint;
  feeMinor: bigint;
}

// Found by period, as in payable-postings.ts, which says why beyond its edges.
const feesStatement = prepare({
  name: 'postings.fees_by_operator',
  given: { tenantId: 'uuid', currency: 'text', from: 'timestamptz', until: 'timestamptz' },
  text: ({ tenantId, currency, from, until }) => `
WITH period AS (
  SELECT sp.period FROM settlement_periods sp
  LEFT JOIN settlements s ON s.tenant_id = ${tenantId} AND s.id = sp.settlement_id
  WHERE sp.tenant_id = ${tenantId} AND sp.currency = ${currency}
    AND sp.started_at < ${until} + INTERVAL '1 hour'
    AND (s.period_end IS NULL OR s.period_end > ${from} - INTERVAL '1 hour')
  UNION ALL
  SELECT period FROM unsettled
  WHERE tenant_id = ${tenantId} AND currency = ${currency} AND first_item_at < ${until} + INTERVAL '1 hour'
)
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

/** The fees that the ledger booked between two instants, by operator. */
export const feesByOperator = (
  database: Queryable,
  question: { tenantId: string; currency: string; from: number; until: number },
): Promise<OperatorFees[]> => feesStatement.run<OperatorFees>(database, question);
