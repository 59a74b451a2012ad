import type { OperatorName } from '../../integrations/operators/operator.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { firstUuidAt } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { ShownPayment } from './payment.ts';
import { shownColumns } from './store.ts';

/** A charge that a person made at the till. */
export interface TillCharge {
  personId: string;
  /** Null for an amount alone. */
  items: TillItem[] | null;
}

export interface TillItem {
  productId: string;
  quantity: number;
  unitPriceMinor: number;
}

const insertStatement = {
  name: 'till_charges.insert',
  text: 'INSERT INTO till_charges (tenant_id, payment_id, person_id, items) VALUES ($1, $2, $3, $4)',
};

/** Writes who made a payment at the till, in the transaction of the payment. */
export async function insertTillCharge(
  transaction: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  { personId, items }: TillCharge,
): Promise<void> {
  const values = [tenantId, id, personId, items && JSON.stringify(items)];
  await transaction.query(insertStatement, values);
}

/** The charge of a payment, by tenant and payment; undefined if it was not made at the till. */
export const findTillCharge = rowQuery<TillCharge, [tenantId: string, paymentId: string]>({
  name: 'till_charges.find',
  text: 'SELECT person_id AS "personId", items FROM till_charges WHERE tenant_id = $1 AND payment_id = $2',
});

/** The charges of a time, from `fromMs` until before `untilMs`. */
export interface TillPeriod {
  fromMs: number;
  untilMs: number;
  /** Whose charges; null for everybody's. */
  personId: string | null;
}

// A UUIDv7 starts with its instant, so a time is a range of the primary key. The limit of one makes PostgreSQL look
// each payment up, instead of reading all payments of the tenant for a join.
const ofPeriod = `FROM till_charges c CROSS JOIN LATERAL (
    SELECT * FROM payments WHERE tenant_id = c.tenant_id AND id = c.payment_id LIMIT 1) AS p
  WHERE c.tenant_id = $1 AND c.payment_id >= $2 AND c.payment_id < $3 AND ($4::uuid IS NULL OR c.person_id = $4)`;

const valuesOf = (tenantId: string, { fromMs, untilMs, personId }: TillPeriod) => [
  tenantId,
  firstUuidAt(fromMs),
  firstUuidAt(untilMs),
  personId,
];

export type ListedCharge = ShownPayment & Pick<TillCharge, 'personId'>;

const listStatement = {
  name: 'till_charges.list',
  text: `SELECT ${shownColumns}, person_id AS "personId" ${ofPeriod} ORDER BY c.payment_id DESC LIMIT $5`,
};

/** Newest first. Returns one charge more than the limit if there are more. */
export function listTillCharges(
  database: Queryable,
  tenantId: string,
  period: TillPeriod,
  limit: number,
): Promise<ListedCharge[]> {
  return database.query(listStatement, [...valuesOf(tenantId, period), limit + 1]);
}

const listOpenStatement = {
  name: 'till_charges.list_open',
  text: `SELECT ${shownColumns}, person_id AS "personId" ${ofPeriod}
    AND p.status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING') ORDER BY c.payment_id DESC LIMIT $5`,
};

/** Charges that still wait for their customers, newest first. */
export function listOpenTillCharges(
  database: Queryable,
  tenantId: string,
  period: TillPeriod,
  limit: number,
): Promise<ListedCharge[]> {
  return database.query(listOpenStatement, [...valuesOf(tenantId, period), limit]);
}

/** What one person sold over one operator in one currency. */
export interface TillSales {
  personId: string;
  operator: OperatorName;
  currency: Currency;
  /** The number of paid charges. */
  paid: number;
  paidMinor: bigint;
  /** What customers got back of it, until now. */
  refundedMinor: bigint;
}

const paid = `p.status IN ('DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED')`;

const lastPaidStatement = {
  name: 'till_charges.last_paid',
  text: `SELECT p.id ${ofPeriod} AND ${paid} ORDER BY c.payment_id DESC LIMIT 1`,
};

/** The payment of the last paid charge; undefined if there is none. */
export async function lastPaidCharge(
  database: Queryable,
  tenantId: string,
  period: TillPeriod,
): Promise<string | undefined> {
  const [last] = await database.query<{ id: string }>(
    lastPaidStatement,
    valuesOf(tenantId, period),
  );
  return last?.id;
}

const sumStatement = {
  name: 'till_charges.sum',
  text: `SELECT person_id AS "personId", operator, currency, count(*)::integer AS paid,
    sum(amount_minor)::bigint AS "paidMinor", sum(refunded_minor)::bigint AS "refundedMinor" ${ofPeriod}
    AND ${paid}
    GROUP BY person_id, operator, currency ORDER BY person_id, currency, operator`,
};

/** The paid charges of a time by person, operator and currency. */
export function sumTillCharges(
  database: Queryable,
  tenantId: string,
  period: TillPeriod,
): Promise<TillSales[]> {
  return database.query(sumStatement, valuesOf(tenantId, period));
}

/** Adds sales with the same name up. A total has the person, operator and currency of its first row. */
export function addUpSales(
  sales: readonly TillSales[],
  nameOf: (sales: TillSales) => string,
): TillSales[] {
  const totals = new Map<string, TillSales>();
  for (const each of sales) {
    const total = totals.get(nameOf(each));
    if (total === undefined) {
      totals.set(nameOf(each), { ...each });
      continue;
    }
    total.paid += each.paid;
    total.paidMinor += each.paidMinor;
    total.refundedMinor += each.refundedMinor;
  }
  return [...totals.values()];
}
