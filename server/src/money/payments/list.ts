import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Database, Queryable, Statement } from '../../platform/postgres/database.ts';
import { findByMetadata, type MetadataFilter } from '../../platform/postgres/find-by-metadata.ts';
import {
  addPage,
  anyOf,
  type ListPage,
  orderOf,
  tableOf,
} from '../../platform/postgres/list-page.ts';
import { isOpen, type PaymentStatus, type ShownPayment } from './payment.ts';
import { shownColumns } from './store.ts';

/** The filters of a list of payments; instants in milliseconds. */
export interface PaymentFilter {
  /** Any of these statuses. */
  status?: PaymentStatus | readonly PaymentStatus[] | undefined;
  operator?: string | readonly string[] | undefined;
  currency?: string | readonly string[] | undefined;
  customerId?: string | undefined;
  externalId?: string | undefined;
  operatorPhone?: string | undefined;
  /** The UUID of a checkout session: the attempts to pay it. */
  checkoutSessionId?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** Amounts have no index: with these, the dates must be close together (scan-limit.ts). */
  amountFromMinor?: bigint | undefined;
  amountUntilMinor?: bigint | undefined;
  createdFromMs?: number | undefined;
  createdUntilMs?: number | undefined;
}

/** Newest first; a page before a payment, oldest first. Returns one row more than the limit if there are more. */
export function listPayments(
  database: Queryable,
  tenantId: string,
  filter: PaymentFilter,
  page: ListPage,
): Promise<ShownPayment[]> {
  const asked = paymentConditions(tenantId, filter, page);
  const text = pageText(asked, filter, ['true'], { order: orderOf(page) });
  const cursors = [page.startingAfter, page.endingBefore].filter((each) => each !== undefined);
  const filters = asked.values.length - 2 - cursors.length;
  return database.query<ShownPayment>(filters <= 1 ? named(text) : { text }, asked.values);
}

/** The ids of the payments on such a page that also have this metadata. @throws VALIDATION_ERROR too much to search */
export function findPaymentsByMetadata(
  database: Database,
  tenantId: string,
  filter: PaymentFilter,
  page: ListPage,
  metadata: MetadataFilter,
): Promise<string[]> {
  const asked = paymentConditions(tenantId, filter, page);
  asked.oneOf('status', filter.status);
  asked.where('id = ANY (?::uuid[])', filter.ids);
  return findByMetadata(database, { table: 'payments', asked, metadata, page });
}

const names = new Map<string, string>();

/**
 * Nearly all requests use one filter or none. There are few such lists, so each connection can keep their plans; the
 * combinations of filters would make thousands.
 */
function named(text: string): Statement {
  const name = names.get(text) ?? `payments.list_${names.size + 1}`;
  names.set(text, name);
  return { name, text };
}

/** The conditions of a list, and its values: `$1` is the tenant, `$2` the limit. */
export function paymentConditions(
  tenantId: string,
  filter: PaymentFilter,
  page: ListPage,
): Conditions {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  addConditions(asked, filter);
  return asked;
}

/** Adds all filters except the statuses, which have scans of their own. */
export function addConditions(asked: Conditions, filter: PaymentFilter): void {
  asked.oneOf('operator', filter.operator);
  asked.oneOf('currency', filter.currency);
  asked.where('customer_id = ?', filter.customerId);
  asked.where('external_id = ?', filter.externalId);
  asked.where('operator_phone = ?', filter.operatorPhone);
  asked.where('checkout_session_id = ?', filter.checkoutSessionId);
  asked.where('amount_minor >= ?', filter.amountFromMinor?.toString());
  asked.where('amount_minor <= ?', filter.amountUntilMinor?.toString());
  const { createdFromMs, createdUntilMs } = filter;
  addPage(asked, { createdFromMs, createdUntilMs });
}

/**
 * The newest payments that meet the conditions, have one of the filter's statuses, and match one of `ways`, if given.
 * Each status and each way is read along an index of its own, no further than one page.
 */
export function newestPayments(
  database: Queryable,
  asked: Conditions,
  filter: Pick<PaymentFilter, 'status'>,
  ways: readonly string[],
): Promise<ShownPayment[]> {
  return database.query<ShownPayment>({ text: pageText(asked, filter, ways) }, asked.values);
}

/** Payments of one currency: all of them, and those that were paid, before any refund. */
export interface PaymentTotal {
  currency: string;
  count: number;
  paidCount: number;
  paidMinor: bigint;
}

/** The totals of what {@link newestPayments} finds, at most as many as the limit. */
export function totalPayments(
  database: Queryable,
  asked: Conditions,
  filter: Pick<PaymentFilter, 'status'>,
  ways: readonly string[],
): Promise<PaymentTotal[]> {
  const columns = 'id, currency, status, amount_minor';
  const found = pageText(asked, filter, ways, { columns });
  const isPaid = `status = ANY (${asked.value(paidStatuses)}::text[])`;
  const text = `SELECT currency, count(*)::float8 AS count, count(*) FILTER (WHERE ${isPaid})::float8 AS "paidCount",
      coalesce(sum(amount_minor) FILTER (WHERE ${isPaid}), 0)::bigint AS "paidMinor"
    FROM (${found}) AS found GROUP BY currency ORDER BY currency`;
  return database.query<PaymentTotal>({ text }, asked.values);
}

/** The same totals of these payments. */
export function totalsOf(
  payments: readonly Pick<ShownPayment, 'currency' | 'status' | 'amountMinor'>[],
): PaymentTotal[] {
  const totals = new Map<string, PaymentTotal>();
  for (const { currency, status, amountMinor } of payments) {
    const total = totals.get(currency) ?? { currency, count: 0, paidCount: 0, paidMinor: 0n };
    totals.set(currency, total);
    total.count += 1;
    if (!paidStatuses.includes(status)) continue;
    total.paidCount += 1;
    total.paidMinor += amountMinor;
  }
  return [...totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

const paidStatuses: readonly PaymentStatus[] = [
  'DEBITED',
  'SETTLED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
];

function pageText(
  asked: Conditions,
  filter: Pick<PaymentFilter, 'status' | 'ids'>,
  ways: readonly string[],
  { columns = shownColumns, order = 'DESC' }: { columns?: string; order?: 'DESC' | 'ASC' } = {},
): string {
  const sources = sourcesOf(asked, filter);
  const parts = ways.flatMap((way) =>
    sources.map(
      ({ from, where }) =>
        `SELECT ${columns} FROM ${from} WHERE ${asked.text} AND ${where} AND ${way} ORDER BY id ${order} LIMIT $2`,
    ),
  );
  return anyOf(parts, order);
}

/** The key of these ids, or the indexes that hold payments of these statuses. */
function sourcesOf(asked: Conditions, { status, ids }: Pick<PaymentFilter, 'status' | 'ids'>) {
  if (ids !== undefined || status === undefined) {
    const where = asked.isOneOf('status', status) ?? 'true';
    return [{ from: tableOf(asked, 'payments', ids), where }];
  }
  const statuses = [...new Set([status].flat())];
  const open = statuses.filter(isOpen);
  const closed = statuses.filter((each) => !isOpen(each));
  const sources = closed.map((each) => ({
    from: 'payments',
    where: `status = ${asked.value(each)} AND ${isClosed}`,
  }));
  if (open.length > 0) {
    sources.push({ from: openPayments, where: `status = ANY (${asked.value(open)}::text[])` });
  }
  return sources;
}

/** Tells PostgreSQL that the index of closed payments suffices. */
const isClosed = "status NOT IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING')";

/** They have no index by status: selected from all due payments first, sorted then. */
const openPayments = `(
  SELECT * FROM payments WHERE due_at IS NOT NULL AND tenant_id = $1 OFFSET 0
) AS open_payments`;
