import { firstUuidAt } from '../ids.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { isOpen, type Payment, type PaymentStatus } from './payment.ts';
import { paymentColumns } from './store.ts';

/** What a list of payments may be narrowed to; instants in milliseconds. */
export interface PaymentFilter {
  status?: PaymentStatus | undefined;
  operator?: string | undefined;
  currency?: string | undefined;
  customerId?: string | undefined;
  externalId?: string | undefined;
  createdFromMs?: number | undefined;
  createdUntilMs?: number | undefined;
}

/** Newest first, after the payment with this id. One row more than the limit shows whether there are more. */
export function listPayments(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<Payment[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  asked.where('id < ?', page.startingAfter);
  asked.where('status = ?', filter.status);
  asked.where('operator = ?', filter.operator);
  asked.where('currency = ?', filter.currency);
  asked.where('customer_id = ?', filter.customerId);
  asked.where('external_id = ?', filter.externalId);
  // An id begins with the instant of creation, so a range of time is a range of the primary key.
  asked.where(
    'id >= ?',
    filter.createdFromMs === undefined ? undefined : firstUuidAt(filter.createdFromMs),
  );
  asked.where(
    'id < ?',
    filter.createdUntilMs === undefined ? undefined : firstUuidAt(filter.createdUntilMs + 1),
  );
  const isOpenOnly = filter.status !== undefined && isOpen(filter.status);
  if (filter.status !== undefined && !isOpenOnly) asked.and(closed);
  const from = isOpenOnly ? openPayments : 'payments';
  const text = `SELECT ${paymentColumns} FROM ${from} WHERE ${asked.text} ORDER BY id DESC LIMIT $2`;
  return database.query<Payment>({ text }, asked.values);
}

/** Says to PostgreSQL that the index of closed payments will do. */
const closed = "status NOT IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING')";

/** They have no index by status: of all that is due, they are picked first and sorted then. */
const openPayments = `(
  SELECT * FROM payments WHERE due_at IS NOT NULL AND tenant_id = $1 OFFSET 0
) AS open_payments`;
