import { type Administration, writeAuditRecord } from '../../../platform/audit/record.ts';
import type { CompanySettings } from '../../../platform/config/company.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { timestamp } from '../../../platform/postgres/database.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { plainDigits } from '../../../platform/values/phone.ts';
import type { OwnedObject } from '../../../tenants/merchants/find-owner.ts';
import {
  disbursementFeesByOperator,
  feesByOperator,
  type OperatorFees,
  toppedUpMinor,
} from '../../ledger/fees-by-operator.ts';
import { monthOf, requireBegun } from './month.ts';
import { readStatement, StatementMismatch } from './read.ts';

/** The merchant whose fees are stated. */
export interface FeePayer {
  tenantId: string;
  merchantId: string;
  mode: 'live' | 'test';
  name: string;
  taxNumber: string | null;
}

/** The fees of a month by operator. It is no invoice: certified software issues those. */
export interface FeeStatement {
  number: string;
  month: string;
  currency: Currency;
  timeZone: string;
  /** Of payments, whose sums are `count` and `grossMinor`. */
  lines: OperatorFees[];
  /** Of disbursements, less those that came back. */
  disbursements: OperatorFees[];
  count: bigint;
  grossMinor: bigint;
  /** Of all lines; with tax, as the ledger booked it. */
  feeMinor: bigint;
  /** Null where no tax is stated. */
  taxBasisPoints: number | null;
  /** The tax in the fees. */
  taxMinor: bigint;
  merchant: { name: string; taxNumber: string | null };
  company: Pick<CompanySettings, 'name' | 'taxNumber' | 'address'>;
  /** Null while the month may still change. */
  issuedAtMs: number | null;
}

export interface FeeStatementDependencies extends Administration {
  database: Database;
  company: CompanySettings;
}

/** Clocks differ, so that the last postings of a month may arrive a little later. */
const settledMs = 3_600_000;

/**
 * The statement of our fees for a merchant's month. Once the month is over, it is stored, and never changes again: not
 * with the tax, the company, nor the merchant's name.
 * @throws VALIDATION_ERROR the month has not begun
 * @throws StatementMismatch the ledger does not add up
 */
export async function feeStatementOf(
  dependencies: FeeStatementDependencies,
  payer: FeePayer,
  { month, currency }: { month: string; currency: Currency },
): Promise<FeeStatement> {
  const { database, clock } = dependencies;
  requireBegun(month, currency, clock.nowMs());
  const stored = await findStored(database, payer.tenantId, month, currency);
  if (stored) return stored;
  const { made, untilMs } = await make(dependencies, payer, month, currency);
  const nowMs = clock.nowMs();
  // A month without fees is the same whenever it is asked for.
  if (isEmpty(made) || nowMs < untilMs + settledMs) return made;
  await database.transaction((transaction) => store(transaction, dependencies, payer, made, nowMs));
  return (await findStored(database, payer.tenantId, month, currency))!;
}

/** Whether nothing in the month had a fee. */
export const isEmpty = ({ lines, disbursements }: FeeStatement): boolean =>
  lines.length + disbursements.length === 0;

/** One snapshot, in which the lines add up to the statement of the balance. */
function make(
  { database, company }: FeeStatementDependencies,
  payer: FeePayer,
  month: string,
  currency: Currency,
): Promise<{ made: FeeStatement; untilMs: number }> {
  const { tenantId, name, taxNumber } = payer;
  return database.transaction(async (snapshot) => {
    await snapshot.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    const statement = await readStatement(snapshot, { tenantId, currency, ...monthOf(month) });
    const { fromMs: from, untilMs, total, timeZone } = statement;
    const question = { tenantId, currency, from, until: untilMs };
    const lines = await feesByOperator(snapshot, question);
    const disbursements = await disbursementFeesByOperator(snapshot, question);
    const grossMinor = sumOf(lines, 'grossMinor');
    const feeMinor = sumOf(lines, 'feeMinor') + sumOf(disbursements, 'feeMinor');
    const outMinor = sumOf(disbursements, 'grossMinor') - (await toppedUpMinor(snapshot, question));
    const found = `${feeMinor} of ${grossMinor} and ${outMinor}`;
    const due = `${total.feeMinor} of ${total.grossMinor} and ${total.disbursementMinor}`;
    if (found !== due) {
      throw new StatementMismatch(
        `the fees of ${month} come to ${found}, and the balance says ${due}: see "zimbo ledger check"`,
      );
    }
    const taxBasisPoints = company.feeTaxBasisPoints[currency] ?? null;
    const { name: companyName, taxNumber: companyNumber, address } = company;
    const made: FeeStatement = {
      number: numberOf(payer, month, currency),
      month,
      currency,
      timeZone,
      lines,
      disbursements,
      count: sumOf(lines, 'count'),
      grossMinor,
      feeMinor,
      taxBasisPoints,
      taxMinor: taxIn(feeMinor, taxBasisPoints ?? 0),
      merchant: { name, taxNumber },
      company: { name: companyName, taxNumber: companyNumber, address },
      issuedAtMs: null,
    };
    return { made, untilMs };
  });
}

const sumOf = (lines: readonly OperatorFees[], field: 'count' | 'grossMinor' | 'feeMinor') =>
  lines.reduce((sum, line) => sum + BigInt(line[field]), 0n);

/** The tax that an amount includes, rounded half up; fees that were given back have the same tax. */
export function taxIn(amountMinor: bigint, basisPoints: number): bigint {
  if (amountMinor < 0n) return -taxIn(-amountMinor, basisPoints);
  const whole = 10_000n + BigInt(basisPoints);
  return (2n * amountMinor * BigInt(basisPoints) + whole) / (2n * whole);
}

/**
 * Derived, so that it needs no counter and has no gap: one for each merchant, month and currency.
 * `FEES-2026-11-CVE-8SJZP5W0AB`
 */
function numberOf({ merchantId, mode }: FeePayer, month: string, currency: string): string {
  const code = formatId('me', merchantId).slice(-10).toUpperCase();
  return `${mode === 'test' ? 'TEST-' : ''}FEES-${month}-${currency}-${code}`;
}

const findStatement = {
  name: 'fee_statements.find',
  text: `
SELECT content, issued_at AS "issuedAtMs" FROM fee_statements
WHERE tenant_id = $1 AND month = $2 AND currency = $3`,
};

async function findStored(
  database: Queryable,
  tenantId: string,
  month: string,
  currency: Currency,
): Promise<FeeStatement | undefined> {
  type Row = { content: string; issuedAtMs: number };
  const [row] = await database.query<Row>(findStatement, [tenantId, month, currency]);
  if (!row) return undefined;
  const parsed = JSON.parse(row.content, (key, value) =>
    minorFields.has(key) ? BigInt(value as string) : (value as unknown),
  ) as FeeStatement;
  // Statements that were stored before there were disbursements have none.
  const { disbursements = [] } = parsed as Partial<FeeStatement>;
  return { ...parsed, disbursements, issuedAtMs: row.issuedAtMs };
}

const minorFields = new Set(['count', 'grossMinor', 'feeMinor', 'taxMinor']);

const numberShape = /^(?:TEST-)?FEES-(2\d{3}-\d\d)-([A-Z]{3})-([0-9A-Z]{10})$/;

/** The parts of a document's number, such as FEES-2026-11-CVE-8SJZP5W0AB. */
export interface FeeNumber {
  number: string;
  month: string;
  currency: string;
  /** The end of the merchant's id, in capitals. */
  code: string;
}

/** Reads a number in any case, with any hyphens; undefined for other texts. */
export function readFeeNumber(text: string): FeeNumber | undefined {
  const number = plainDigits(text).toUpperCase();
  const [, month, currency, code] = numberShape.exec(number) ?? [];
  return code === undefined ? undefined : { number, month: month!, currency: currency!, code };
}

/** Whose stored statement has this number: for the gateway's staff, who do not know the tenant. */
export function findFeeStatement(
  database: Queryable,
  { number, month, currency }: FeeNumber,
): Promise<OwnedObject[]> {
  const text = `
SELECT stated.number AS id, t.merchant_id AS "merchantId", m.name AS "merchantName", t.mode
FROM tenants t JOIN merchants m ON m.id = t.merchant_id CROSS JOIN LATERAL (
  SELECT number FROM fee_statements
  WHERE tenant_id = t.id AND month = $1 AND currency = $2 AND number = $3 LIMIT 1
) AS stated
LIMIT 10`;
  return database.query<OwnedObject>({ text }, [month, currency, number]);
}

const storeStatement = {
  name: 'fee_statements.store',
  text: `
INSERT INTO fee_statements (tenant_id, month, currency, number, content, issued_at)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING number`,
};

async function store(
  transaction: Queryable,
  administration: Administration,
  { tenantId, merchantId }: FeePayer,
  made: FeeStatement,
  nowMs: number,
): Promise<void> {
  const { number, month, currency, feeMinor } = made;
  const content = JSON.stringify(made, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const values = [tenantId, month, currency, number, content, timestamp(nowMs)];
  if ((await transaction.query(storeStatement, values)).length === 0) return;
  await writeAuditRecord(transaction, administration, {
    tenantId,
    action: 'fee_statement.issued',
    subject: formatId('me', merchantId),
    detail: { number, month, currency, feeMinor: feeMinor.toString() },
  });
}
