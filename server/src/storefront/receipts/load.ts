import type { Payment } from '../../money/payments/payment.ts';
import { findPayment } from '../../money/payments/store.ts';
import type { Refund } from '../../money/refunds/refund.ts';
import { listRefunds } from '../../money/refunds/store.ts';
import type { Reversal } from '../../money/reversals/reversal.ts';
import { reversalsOf } from '../../money/reversals/store.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { LinkClaims } from '../checkout/link.ts';
import type { SessionHead } from '../checkout/session.ts';
import { findSessionHead, findShop, type Shop } from '../checkout/store.ts';

/** The data of a receipt. */
export interface Receipt {
  payment: Payment;
  shop: Shop;
  /** When the operator's debit was booked; undefined: never. */
  paidAtMs: number | undefined;
  /** The oldest first. */
  refunds: Refund[];
  /** Wrong debits: too late, twice, or of another amount. The oldest first. */
  reversals: Reversal[];
  /** The items, if the payment was made through a link. */
  session: SessionHead | undefined;
}

/** More refunds than any payment has in practice. */
const mostRefunds = 200;

const paidAtStatement = {
  name: 'receipts.paid_at',
  text: `
SELECT created_at AS "atMs" FROM postings
WHERE tenant_id = $1 AND source_id = $2 AND kind = 'debit_net'`,
};

/** Undefined if there is no such payment. */
export async function loadReceipt(
  database: Queryable,
  { tenantId, id }: Pick<LinkClaims, 'tenantId' | 'id'>,
): Promise<Receipt | undefined> {
  const payment = await findPayment(database, tenantId, id);
  if (!payment) return undefined;
  const { checkoutSessionId } = payment;
  const [shop, booked, refunds, reversals, session] = await Promise.all([
    findShop(database, tenantId),
    database.query<{ atMs: number }>(paidAtStatement, [tenantId, id]),
    listRefunds(database, tenantId, { paymentId: id }, { limit: mostRefunds }),
    reversalsOf(database, tenantId, id),
    checkoutSessionId === null ? undefined : findSessionHead(database, tenantId, checkoutSessionId),
  ]);
  const paidAtMs = booked[0]?.atMs;
  return { payment, shop, paidAtMs, refunds: refunds.reverse(), reversals, session };
}
