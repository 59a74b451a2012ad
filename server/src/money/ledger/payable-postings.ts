import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { DaysQuestion } from './daily-balances.ts';
import { disbursementFeeKinds } from './payable-hours.ts';

/**
 * The postings that moved the payable balance, in the order of booking; not those of what a settlement left in it.
 * Amounts are in minor units.
 */
export interface PayablePosting {
  /** The payment, refund, disbursement or settlement. */
  sourceId: string;
  kind: string;
  /** For a refund, its payment; otherwise null. */
  paymentId: string | null;
  amountMinor: bigint;
  /**
   * For a payment: how much less its posting on `payable` is than the customer paid. For a disbursement: its fee, which
   * moved with it.
   */
  feeMinor: bigint;
  createdAtMs: number;
}

/**
 * Postings are found by the period that they were stamped with; clocks that differ between processes and statements
 * that wait may put a posting this far beyond the edges of its period.
 */
const margin = `INTERVAL '1 hour'`;

/** The kind of the posting that has the fee of another, by the kind of that one. */
export const feeKindOf = (kind: string) =>
  `CASE ${kind} WHEN 'debit_net' THEN 'debit_fee' WHEN 'disbursement_out' THEN 'disbursement_fee'
    WHEN 'disbursement_back' THEN 'disbursement_fee_back'
    WHEN 'disbursement_charge' THEN 'disbursement_charge_fee' END`;

// A period ends with the cut of its settlement, or later; a period without a settlement may still be open.
const pageStatement = prepare({
  name: 'postings.of_payable',
  given: {
    tenantId: 'uuid',
    currency: 'text',
    from: 'timestamptz',
    until: 'timestamptz',
    afterMs: 'timestamptz',
    afterId: 'uuid',
    afterKind: 'text',
    limit: 'integer',
  },
  text: ({ tenantId, currency, from, until, afterMs, afterId, afterKind, limit }) => {
    const isIn = `o.kind NOT IN ('kept_out', 'kept_in') AND o.created_at >= ${from} AND o.created_at < ${until}
    AND (o.created_at, o.source_id, o.kind) > (${afterMs}, ${afterId}, ${afterKind})`;
    // The fee of a disbursement is read with its amount, not as a movement of its own.
    const isMovement = `o.kind NOT IN (${disbursementFeeKinds}) AND ${isIn}`;
    return `
WITH period AS (
  SELECT sp.period FROM settlement_periods sp
  LEFT JOIN settlements s ON s.tenant_id = ${tenantId} AND s.id = sp.settlement_id
  WHERE sp.tenant_id = ${tenantId} AND sp.currency = ${currency} AND sp.started_at < ${until} + ${margin}
    AND (s.period_end IS NULL OR s.period_end > ${from} - ${margin})
  UNION ALL
  SELECT period FROM unsettled
  WHERE tenant_id = ${tenantId} AND currency = ${currency} AND first_item_at < ${until} + ${margin}
),
moved AS (
  SELECT o.source_id, o.kind, o.amount_minor, o.created_at
  FROM period JOIN postings o
    ON o.tenant_id = ${tenantId} AND o.currency = ${currency} AND o.period = period.period
  WHERE ${isMovement}
  UNION ALL
  SELECT o.source_id, o.kind, o.amount_minor, o.created_at
  FROM settlements s JOIN postings o ON o.tenant_id = ${tenantId} AND o.source_id = s.id
  WHERE s.tenant_id = ${tenantId} AND s.currency = ${currency} AND s.created_at < ${until} + ${margin}
    AND 'payable' IN (o.from_account, o.to_account) AND ${isIn}
  ORDER BY 4, 1, 2 LIMIT ${limit}
)
SELECT moved.source_id AS "sourceId", moved.kind, refunds.payment_id AS "paymentId",
  moved.amount_minor AS "amountMinor", coalesce(fee.amount_minor, 0) AS "feeMinor",
  moved.created_at AS "createdAtMs"
FROM moved
LEFT JOIN refunds ON refunds.tenant_id = ${tenantId} AND refunds.id = moved.source_id
LEFT JOIN postings fee ON fee.tenant_id = ${tenantId} AND fee.source_id = moved.source_id
  AND fee.kind = ${feeKindOf('moved.kind')}
ORDER BY moved.created_at, moved.source_id, moved.kind`;
  },
});

const zeroId = '00000000-0000-0000-0000-000000000000';

/**
 * The movements of one tenant's balance in a currency between two instants, page by page. The caller may provide the
 * snapshot.
 */
export async function* payablePostings(
  database: Queryable,
  { tenantId, currency }: Pick<DaysQuestion, 'tenantId' | 'currency'>,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
  limit = 5_000,
): AsyncGenerator<PayablePosting[]> {
  let after = { afterMs: fromMs - 1, afterId: zeroId, afterKind: '' };
  for (;;) {
    const given = { tenantId, currency, from: fromMs, until: untilMs, ...after, limit };
    const page = await pageStatement.run<PayablePosting>(database, given);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    after = { afterMs: last.createdAtMs, afterId: last.sourceId, afterKind: last.kind };
  }
}
