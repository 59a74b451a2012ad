import type { Queryable } from '../../platform/postgres/database.ts';
import type { PaymentStatus } from './payment.ts';

/** What became of the money of a payment that the customer has paid. */
export interface EarnedMoney {
  /** What refunds take from the balance: all but those that failed, as the ledger books them. */
  refundedMinor: bigint;
  /** The payout that includes the payment; null while it is in the balance. */
  settlementId: string | null;
  /** When the bank paid that; null before. */
  paidOutAtMs: number | null;
}

const earned: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>([
  'DEBITED',
  'SETTLED',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
]);

const refundedStatement = {
  name: 'exports.refunded',
  text: `
SELECT payment_id AS id, sum(amount_minor)::bigint AS "refundedMinor" FROM refunds
WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[]) AND status <> 'FAILED'
GROUP BY payment_id`,
};

const payoutsStatement = {
  name: 'exports.payouts',
  text: `
SELECT o.source_id AS id, s.id AS "settlementId", s.completed_at AS "paidOutAtMs"
FROM postings o
JOIN settlement_periods sp
  ON sp.tenant_id = o.tenant_id AND sp.currency = o.currency AND sp.period = o.period
JOIN settlements s ON s.tenant_id = sp.tenant_id AND s.id = sp.settlement_id
WHERE o.tenant_id = $1 AND o.source_id = ANY ($2::uuid[]) AND o.kind = 'debit_net'`,
};

/** The money of those of a page of payments that earned any, by their ids. */
export async function earnedMoney(
  database: Queryable,
  tenantId: string,
  payments: readonly { id: string; status: PaymentStatus }[],
): Promise<Map<string, EarnedMoney>> {
  const ids = payments.filter(({ status }) => earned.has(status)).map(({ id }) => id);
  const money = new Map<string, EarnedMoney>();
  for (const id of ids) money.set(id, { refundedMinor: 0n, settlementId: null, paidOutAtMs: null });
  if (ids.length === 0) return money;
  type Found = { id: string } & Partial<EarnedMoney>;
  for (const statement of [refundedStatement, payoutsStatement]) {
    for (const { id, ...found } of await database.query<Found>(statement, [tenantId, ids])) {
      Object.assign(money.get(id)!, found);
    }
  }
  return money;
}
