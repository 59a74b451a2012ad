import type { PaymentStatus } from '../../money/payments/payment.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { PaymentLink } from './payment-link.ts';

type LinkKey = Pick<PaymentLink, 'tenantId' | 'id'>;

const insertStatement = {
  name: 'payment_link_uses.insert',
  text: 'INSERT INTO payment_link_uses (tenant_id, payment_link_id, session_id) VALUES ($1, $2, $3)',
};

/** Keeps which session a use has made, in the transaction that makes it. */
export async function insertUse(
  transaction: Queryable,
  { tenantId, id }: LinkKey,
  sessionId: string,
): Promise<void> {
  await transaction.query(insertStatement, [tenantId, id, sessionId]);
}

/** A payment by a link. */
export interface LinkPayment {
  sessionId: string;
  id: string;
  status: PaymentStatus;
  amountMinor: bigint;
  refundedMinor: bigint;
  currency: Currency;
  operatorPhone: string;
  createdAtMs: number;
}

/** So many uses are looked through at once, from the newest on. */
export const mostUses = 5_000;

const window = `
WITH seen AS MATERIALIZED (
  SELECT session_id FROM payment_link_uses
  WHERE tenant_id = $1 AND payment_link_id = $2 AND ($3::uuid IS NULL OR session_id < $3)
  ORDER BY session_id DESC LIMIT ${mostUses}
)`;
/**
 * The payment that completed a session is its latest one. LIMIT makes PostgreSQL look up each by its key, also without
 * statistics.
 */
const paid = `
FROM seen
CROSS JOIN LATERAL (
  SELECT id, status, latest_payment_id FROM checkout_sessions
  WHERE tenant_id = $1 AND id = seen.session_id LIMIT 1
) AS s
CROSS JOIN LATERAL (
  SELECT * FROM payments WHERE tenant_id = $1 AND id = s.latest_payment_id LIMIT 1
) AS p
WHERE s.status = 'COMPLETED'`;

const listStatement = {
  name: 'payment_link_uses.payments',
  text: `${window}
SELECT s.id AS "sessionId", p.id, p.status, p.amount_minor AS "amountMinor", p.refunded_minor AS "refundedMinor",
  p.currency, p.operator_phone AS "operatorPhone", p.created_at AS "createdAtMs"
${paid}
ORDER BY s.id DESC LIMIT $4`,
};

/** Payments by a link, newest first: those of the latest uses before a session. One more than the limit. */
export function listLinkPayments(
  database: Queryable,
  { tenantId, id }: LinkKey,
  page: { limit: number; before: string | undefined },
): Promise<LinkPayment[]> {
  return database.query(listStatement, [tenantId, id, page.before ?? null, page.limit + 1]);
}

/** The last use that {@link listLinkPayments} looks through, if there may be more. */
export const findWindowEnd = rowQuery<
  { sessionId: string },
  [tenantId: string, id: string, before: string | null]
>({
  name: 'payment_link_uses.window_end',
  text: `${window}
SELECT session_id AS "sessionId" FROM seen ORDER BY session_id DESC OFFSET ${mostUses - 1} LIMIT 1`,
});

/** What the latest uses of a link have brought. */
export interface LinkTotals {
  /** How many uses were looked through. */
  uses: number;
  payments: number;
  paidMinor: bigint;
  refundedMinor: bigint;
}

/** The totals of the latest uses; a link has one currency. */
export const findLinkTotals = rowQuery<LinkTotals, [tenantId: string, id: string, before: null]>({
  name: 'payment_link_uses.totals',
  text: `${window}
SELECT (SELECT count(*)::int FROM seen) AS uses, count(*)::int AS payments,
  coalesce(sum(p.amount_minor), 0)::bigint AS "paidMinor", coalesce(sum(p.refunded_minor), 0)::bigint AS "refundedMinor"
${paid}`,
});
