import { rowsQuery } from '../../platform/postgres/query.ts';

/** A tenant's money in one currency, in minor units. */
export interface Balance {
  currency: string;
  available: bigint;
  pending: bigint;
  refundsInTransit: bigint;
  disbursementsInTransit: bigint;
  /** What settlements leave in it; null: nothing. */
  keepMinor: bigint | null;
}

/** The amounts payable, in payouts, in refunds and in disbursements, by currency; a currency without movements is left out. */
export const balanceOf = rowsQuery<Balance, [tenantId: string]>({
  name: 'balances.of_tenant',
  text: `
SELECT currency,
  coalesce(sum(balance_minor) FILTER (WHERE account = 'payable'), 0) AS available,
  coalesce(sum(balance_minor) FILTER (WHERE account = 'payouts_in_transit'), 0) AS pending,
  coalesce(sum(balance_minor) FILTER (WHERE account = 'refunds_in_transit'), 0) AS "refundsInTransit",
  coalesce(sum(balance_minor) FILTER (WHERE account = 'disbursements_in_transit'), 0)
    AS "disbursementsInTransit",
  (SELECT (m.keep_balances ->> currency)::bigint FROM tenants t JOIN merchants m ON m.id = t.merchant_id
    WHERE t.id = $1) AS "keepMinor"
FROM balances WHERE tenant_id = $1
GROUP BY currency ORDER BY currency`,
});

/** What a settlement would pay out now: not above 0 if nothing. */
export const payableNow = ({ available, keepMinor }: Balance): bigint =>
  available - (keepMinor ?? 0n);

/** The balance as the API shows it. */
export function balanceView(balance: Balance) {
  return {
    currency: balance.currency as 'CVE' | 'AOA',
    available: balance.available.toString(),
    pending: balance.pending.toString(),
    refundsInTransit: balance.refundsInTransit.toString(),
    disbursementsInTransit: balance.disbursementsInTransit.toString(),
    ...(balance.keepMinor !== null && { keepBalance: balance.keepMinor.toString() }),
  };
}
