import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { LedgerProblem } from './check.ts';
import { disbursementFeeKinds } from './payable-hours.ts';

/** The sum of a settlement's periods; a settlement that FAILED has released its periods. */
const sumsOfPeriods = `
  SELECT sp.tenant_id, sp.settlement_id, sp.currency,
    sum(p.amount_minor * CASE WHEN p.from_account = 'payable' THEN -1 ELSE 1 END) AS net,
    count(*) FILTER (WHERE p.kind NOT IN (${disbursementFeeKinds})) AS items
  FROM settlement_periods sp
  JOIN postings p ON p.tenant_id = sp.tenant_id AND p.currency = sp.currency AND p.period = sp.period
  WHERE sp.settlement_id IS NOT NULL
  GROUP BY sp.tenant_id, sp.settlement_id, sp.currency`;

const wrongSettlements = {
  text: `
SELECT s.tenant_id AS "tenantId", s.id, s.net_minor::text AS net, s.item_count::text AS items,
  coalesce(sums.net, 0)::text AS "postedNet", coalesce(sums.items, 0)::text AS "postedItems"
FROM settlements s
LEFT JOIN (${sumsOfPeriods}) AS sums ON sums.tenant_id = s.tenant_id AND sums.settlement_id = s.id
WHERE s.status <> 'FAILED'
  AND (coalesce(sums.net, 0) <> s.net_minor OR coalesce(sums.items, 0) <> s.item_count)
ORDER BY 1, 2`,
};

const wrongUnsettled = {
  text: `
SELECT tenant_id AS "tenantId", currency, coalesce(u.net, 0)::text AS unsettled,
  coalesce(b.balance_minor, 0)::text AS payable
FROM (
  SELECT tenant_id, currency, gross_minor - fee_minor - refund_minor - disbursement_minor AS net
  FROM unsettled
) AS u
FULL JOIN (SELECT * FROM balances WHERE account = 'payable') AS b USING (tenant_id, currency)
WHERE coalesce(u.net, 0) <> coalesce(b.balance_minor, 0)
ORDER BY 1, 2`,
};

/** Settlements that differ from the sum of their periods, and payable amounts that are not counted as unsettled. */
export async function settlementProblems(snapshot: Queryable): Promise<LedgerProblem[]> {
  type Taken = Record<'tenantId' | 'id' | 'net' | 'items' | 'postedNet' | 'postedItems', string>;
  type Left = Record<'tenantId' | 'currency' | 'unsettled' | 'payable', string>;
  const taken = (await snapshot.query<Taken>(wrongSettlements)).map((row) => ({
    check: 'settlement' as const,
    tenantId: row.tenantId,
    message: `settlement ${formatId('se', row.id)} is of ${row.net} in ${row.items} items, but its periods hold ${row.postedNet} in ${row.postedItems}`,
  }));
  const left = (await snapshot.query<Left>(wrongUnsettled)).map((row) => ({
    check: 'settlement' as const,
    tenantId: row.tenantId,
    message: `${row.payable} ${row.currency} are payable, but ${row.unsettled} are counted as unsettled`,
  }));
  return [...taken, ...left];
}
