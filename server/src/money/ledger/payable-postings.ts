import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { DaysQuestion } from './daily-balances.ts';

/** What of the ledger moved what is payable, in the order in which it was booked. Amounts are in minor units. */
export interface PayablePosting {
  /** The payment, refund or settlement. */
  sourceId: string;
  kind: string;
  /** Of a refund its payment; else null. */
  paymentId: string | null;
  amountMinor: bigint;
  /** Of a payment: what its posting on `payable` is less than what the customer paid. */
  feeMinor: bigint;
  createdAtMs: number;
}

/**
 * Postings are found by the period that they were stamped with; clocks of processes, and how long a statement waits,
 * may put one so far beyond the edges of its period.
 */
const margin = `INTERVAL '1 hour'`;

// A period ends with the cut of the settlement that has it, or later; one that none has may go on until now.
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
    const isIn = `o.created_at >= ${from} AND o.created_at < ${until}
    AND (o.created_at, o.source_id, o.kind) > (${afterMs}, ${afterId}, ${afterKind})`;
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
  WHERE ${isIn}
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
  AND fee.kind = 'debit_fee' AND moved.kind = 'debit_net'
ORDER BY moved.created_at, moved.source_id, moved.kind`;
  },
});

const zeroId = '00000000-0000-0000-0000-000000000000';

/**
 * What moved the balance of one tenant in a currency between two instants, page by page. Of one snapshot, if the caller
 * has one.
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
