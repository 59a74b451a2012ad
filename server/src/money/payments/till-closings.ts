import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { firstUuidAt, formatId, type Ids } from '../../platform/values/ids.ts';
import { addUpSales, sumTillCharges, type TillPeriod } from './till-charges.ts';

/** The charges of a day over one operator in one currency, as they were counted. Amounts are minor units as text. */
export interface ClosingLine {
  operator: string;
  currency: string;
  paid: number;
  paidMinor: string;
  refundedMinor: string;
  /** What the person counted; null if they did not count this operator. */
  countedMinor: string | null;
}

/** A day that somebody counted at the till. */
export interface TillClosing {
  id: string;
  /** `2026-11-28`, in the merchant's time zone. */
  day: string;
  /** Whose charges were counted; null for everybody's. */
  personId: string | null;
  closedBy: string;
  lines: ClosingLine[];
}

/** How long after the beginning of a day somebody may still count it: later closings would not be found with it. */
const closingWindowMs = 14 * 86_400_000;

export const isCountable = ({ fromMs }: Pick<TillPeriod, 'fromMs'>, nowMs: number): boolean =>
  nowMs < fromMs + closingWindowMs;

const listStatement = {
  name: 'till_closings.list',
  text: `SELECT id, day::text AS day, person_id AS "personId", closed_by AS "closedBy", lines FROM till_closings
    WHERE tenant_id = $1 AND id >= $2 AND id < $3 AND day = $4 AND ($5::uuid IS NULL OR person_id = $5)
    ORDER BY id DESC LIMIT 20`,
};

const insertStatement = {
  name: 'till_closings.insert',
  text: `INSERT INTO till_closings (tenant_id, id, day, person_id, closed_by, lines)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
};

/** The closings of a day, newest first. @param dayStartMs when the day began */
export function listTillClosings(
  database: Queryable,
  tenantId: string,
  { day, dayStartMs, personId }: { day: string; dayStartMs: number; personId: string | null },
): Promise<TillClosing[]> {
  const [fromId, untilId] = [dayStartMs, dayStartMs + closingWindowMs].map(firstUuidAt);
  return database.query(listStatement, [tenantId, fromId, untilId, day, personId]);
}

/** More than any shop closes in a week; older ones are not looked at. */
const mostLately = 250;

const latelyStatement = {
  name: 'till_closings.lately',
  text: `SELECT id, day::text AS day, person_id AS "personId" FROM till_closings
    WHERE tenant_id = $1 AND id >= $2 ORDER BY id DESC LIMIT ${mostLately}`,
};

/** Closings of the last days, newest first: of the whole till, and for one person also their own. */
export async function listClosingsLately(
  database: Queryable,
  tenantId: string,
  { nowMs, personId }: { nowMs: number; personId: string | null },
): Promise<Pick<TillClosing, 'id' | 'day' | 'personId'>[]> {
  const fromId = firstUuidAt(nowMs - closingWindowMs);
  const rows = await database.query<Pick<TillClosing, 'id' | 'day' | 'personId'>>(latelyStatement, [
    tenantId,
    fromId,
  ]);
  return rows.filter(
    (row) => personId === null || row.personId === null || row.personId === personId,
  );
}

/** The sums of a day by operator and currency, of one person or of all. */
export async function sumsByOperator(
  database: Queryable,
  tenantId: string,
  period: TillPeriod,
): Promise<Omit<ClosingLine, 'countedMinor'>[]> {
  const sales = await sumTillCharges(database, tenantId, period);
  return addUpSales(sales, ({ currency, operator }) => `${currency} ${operator}`).map(
    ({ operator, currency, paid, paidMinor, refundedMinor }) => ({
      operator,
      currency,
      paid,
      paidMinor: paidMinor.toString(),
      refundedMinor: refundedMinor.toString(),
    }),
  );
}

/**
 * Records what a person counted beside the sums of this moment. The same id again changes nothing.
 * @param counted amounts in minor units by currency and operator: `CVE MOCK`
 */
export async function closeTill(
  dependencies: { database: Database; clock: Clock; ids: Ids },
  order: {
    tenantId: string;
    merchantId: string;
    id: string;
    day: string;
    period: TillPeriod;
    closedBy: string;
    counted: ReadonlyMap<string, bigint>;
  },
  author: Author,
): Promise<void> {
  const { tenantId, id, day, period, closedBy, counted } = order;
  await dependencies.database.transaction(async (transaction) => {
    const sums = await sumsByOperator(transaction, tenantId, period);
    const lines: ClosingLine[] = sums.map((line) => ({
      ...line,
      countedMinor: counted.get(`${line.currency} ${line.operator}`)?.toString() ?? null,
    }));
    const values = [tenantId, id, day, period.personId, closedBy, JSON.stringify(lines)];
    const inserted = await transaction.query(insertStatement, values);
    if (inserted.length === 0) return;
    const person = period.personId && formatId('pe', period.personId);
    const after = { day, ...(person && { person }), lines };
    await writeAuditRecord(
      transaction,
      { ...dependencies, ...author },
      {
        tenantId,
        action: 'till.closed',
        subject: formatId('me', order.merchantId),
        after,
      },
    );
  });
}
