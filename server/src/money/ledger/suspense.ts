import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { lateRefund, undecidedDisbursement } from './check-queries.ts';

/**
 * A debit that is not the merchant's and has not gone back to the customer; or a refund or disbursement that the operator
 * made after it had FAILED, so that its amount is missing in suspense: then the amount is negative.
 */
export interface SuspenseItem {
  tenantId: string;
  /** The id of the reversal, refund or disbursement. */
  id: string;
  /** Null for a disbursement. */
  paymentId: string | null;
  reason: string;
  /** Of the reversal; null for a refund or disbursement, which nothing reverses. */
  status: string | null;
  operator: string;
  /** The operator's transaction: the debit, refund or disbursement. */
  operatorTxId: string;
  currency: string;
  amountMinor: bigint;
  failureCode: string | null;
  /** Whether a person recorded the outcome. */
  byHand: boolean;
  createdAtMs: number;
}

interface Page {
  limit: number;
  /** The id of the previous page's last item. */
  startingAfter?: string | undefined;
  /** When that item was created, if it is in another database. */
  afterMs?: number | undefined;
}

/**
 * The contents of suspense and the amounts missing in it, oldest first. Reads no further than the page, and returns
 * one row more than its limit if there are more.
 */
export function suspense(database: Queryable, page?: Page): Promise<SuspenseItem[]> {
  const after = page?.startingAfter;
  const most = page === undefined ? '' : `LIMIT ${page.limit + 1}`;
  const following = (since: string) =>
    after === undefined
      ? ''
      : `AND (${since}, id) > (coalesce($2::timestamptz, (SELECT since FROM last)), $1)`;
  const text = `
${after === undefined ? '' : lastText}
(SELECT tenant_id AS "tenantId", id, payment_id AS "paymentId", reason, status, operator,
  operator_tx_id AS "operatorTxId", currency, amount_minor AS "amountMinor",
  failure_code AS "failureCode", by_hand AS "byHand", created_at AS "createdAtMs"
FROM reversals WHERE status <> 'SUCCEEDED' ${following('created_at')}
ORDER BY created_at, id ${most})
UNION ALL
(SELECT tenant_id, id, payment_id, 'LATE_REFUND', NULL, operator, operator_refund_id, currency, -amount_minor,
  NULL, by_hand, updated_at
FROM refunds WHERE ${lateRefund} ${following('updated_at')}
ORDER BY updated_at, id ${most})
UNION ALL
(SELECT tenant_id, id, NULL, 'LATE_DISBURSEMENT', NULL, operator, operator_tx_id, currency, -amount_minor,
  NULL, by_hand, updated_at
FROM disbursements WHERE ${undecidedDisbursement} ${following('updated_at')}
ORDER BY updated_at, id ${most})
ORDER BY "createdAtMs", id ${most}`;
  return database.query<SuspenseItem>(
    { text },
    after === undefined ? [] : [after, timestamp(page?.afterMs ?? null)],
  );
}

/** Found by each tenant's key, since no index finds a row by its id alone. */
const lastText = `
WITH last AS (
  SELECT x.created_at AS since, x.id FROM tenants t JOIN reversals x ON x.tenant_id = t.id AND x.id = $1
  UNION ALL
  SELECT x.updated_at, x.id FROM tenants t JOIN refunds x ON x.tenant_id = t.id AND x.id = $1
  UNION ALL
  SELECT x.updated_at, x.id FROM tenants t JOIN disbursements x ON x.tenant_id = t.id AND x.id = $1
)`;

/** When the row with this id was created, whether it is in suspense or not. */
export async function suspenseSince(
  database: Queryable,
  id: string,
): Promise<{ sinceMs: number } | undefined> {
  const text = `${lastText} SELECT since AS "sinceMs" FROM last LIMIT 1`;
  return (await database.query<{ sinceMs: number }>({ text }, [id]))[0];
}
