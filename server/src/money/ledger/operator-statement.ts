import { escaped } from '../../integrations/operators/transaction-ids.ts';
import { CsvError, type CsvRow, readCsv } from '../../platform/formats/csv.ts';
import { parseInstant } from '../../platform/formats/instant.ts';
import { readUtf8 } from '../../platform/formats/utf8.ts';
import { parseId } from '../../platform/values/ids.ts';
import { instantAtMs } from '../../platform/values/local-day.ts';
import { type Currency, currencies, timeZoneOf } from '../../platform/values/money.ts';

/** One line of an operator's statement (docs/reconciliation.md). */
export interface StatementRow {
  line: number;
  transactionId: string;
  /** The reference as written in the statement. */
  reference: string;
  /** The UUID that the reference stands for; null if it is not one of ours. */
  referenceId: string | null;
  type: StatementType;
  amountMinor: bigint;
  currency: string;
  status: StatementStatus;
  /** Null if nothing was completed. */
  completedAtMs: number | null;
}

const types = ['DEBIT', 'REFUND', 'REVERSAL', 'DISBURSEMENT'] as const;
export type StatementType = (typeof types)[number];
const statuses = ['COMPLETED', 'PENDING', 'FAILED'] as const;
export type StatementStatus = (typeof statuses)[number];

export const statementColumns = [
  'transaction_id',
  'reference',
  'type',
  'amount',
  'currency',
  'status',
  'completed_at',
] as const;
type Column = (typeof statementColumns)[number];

/**
 * The file as a stream, checked to be UTF-8.
 * @throws CsvError with the line and the problem
 */
export const readStatementBytes = (chunks: AsyncIterable<Buffer>) =>
  readStatement(readCsv(readUtf8(chunks), 'ANY'));

/**
 * Reads a statement from a stream; its columns may be in any order, and among others.
 * @throws CsvError with the line and the problem
 */
export async function* readStatement(rows: AsyncIterable<CsvRow>): AsyncGenerator<StatementRow> {
  let heading: Heading | undefined;
  for await (const row of rows) {
    if (heading === undefined) heading = headingOf(row);
    else yield rowOf(row, heading);
  }
  if (heading === undefined) throw new CsvError(1, `the file is empty; ${headingRule}`, 'EMPTY');
}

const headingRule = `the first line must name the columns ${statementColumns.join(',')}, with commas, semicolons or tabs between them`;

interface Heading {
  places: Record<Column, number>;
  width: number;
}

function headingOf({ line, fields }: CsvRow): Heading {
  requireNoNul(line, fields);
  const names = fields.map((field) => field.trim().toLowerCase());
  const places = statementColumns.map((column) => {
    const place = names.indexOf(column);
    if (place < 0) {
      throw new CsvError(line, `${headingRule}; there is no ${column}`, 'NO_COLUMN', column);
    }
    if (place !== names.lastIndexOf(column)) {
      throw new CsvError(line, `${column} is named twice`, 'COLUMN_TWICE', column);
    }
    return [column, place];
  });
  return { places: Object.fromEntries(places) as Record<Column, number>, width: names.length };
}

function rowOf({ line, fields, separator }: CsvRow, { places, width }: Heading): StatementRow {
  // An unquoted comma, as in 1,250.50, has shifted the columns after it.
  if (fields.length > width) {
    const found = String(fields.length);
    const message = `there are ${found} fields, and the first line names ${width}`;
    throw new CsvError(line, message, 'FIELDS', found, String(width));
  }
  requireNoNul(line, fields);
  const text = (column: Column) => (fields[places[column]] ?? '').trim();
  const name = (column: Column) => {
    if (text(column).length <= longestName) return text(column);
    const message = `${column} has more than ${longestName} characters`;
    throw new CsvError(line, message, 'FIELD_LENGTH', column, String(longestName));
  };
  const word = <Word extends string>(column: Column, words: readonly Word[]): Word => {
    const found = words.find((one) => one === text(column).toUpperCase());
    if (found === undefined) {
      throw wrongValue(line, column, text(column), words.join(', '));
    }
    return found;
  };
  const status = word('status', statuses);
  const completedAt = text('completed_at');
  const currency = word('currency', currencies);
  return {
    line,
    // An id outside the alphabet was never booked, so it is compared, and shown, by its escaped characters.
    transactionId: escaped(name('transaction_id')),
    reference: escaped(name('reference')),
    referenceId: referenceIdOf(text('reference')),
    type: word('type', types),
    amountMinor: amountMinorOf(line, text('amount'), separator),
    currency,
    status,
    completedAtMs:
      completedAt === '' && status !== 'COMPLETED' ? null : instantOf(line, completedAt, currency),
  };
}

/** In characters: the longest transaction id of an operator. */
const longestName = 256;

/** A text column cannot hold NUL. */
function requireNoNul(line: number, fields: readonly string[]): void {
  if (!fields.some((field) => field.includes('\0'))) return;
  throw new CsvError(line, 'there is a NUL; the file must be CSV in UTF-8', 'NUL');
}

function wrongValue(line: number, column: Column, text: string, rule: string): CsvError {
  const shown = JSON.stringify(text.slice(0, 60));
  return new CsvError(line, `${column} is ${shown}, not ${rule}`, 'VALUE', column, shown, rule);
}

function referenceIdOf(reference: string): string | null {
  const text = reference.toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  return parseId('pi', text) ?? parseId('re', text) ?? null;
}

const [withPoint, withComma, withPointOnly] = [
  /^(\d{1,15})(?:\.(\d{1,2})0*)?$/,
  // In groups of three only where a comma shows that the point does not separate the decimals.
  /^(\d{1,15}|\d{1,3}(?:[. \u00a0\u202f]\d{3}){1,4}),(\d{1,2})$/,
  // 1.250 could be a thousand times more where a comma would have separated the decimals.
  /^(\d{1,15})(?:\.(\d{1,2}))?$/,
];

/** Both currencies have two minor digits; digits beyond them must be zeros. */
function amountMinorOf(line: number, text: string, separator: CsvRow['separator']): bigint {
  const point = separator === ',' ? withPoint! : withPointOnly!;
  const match = point.exec(text) ?? withComma!.exec(text);
  if (!match) throw wrongValue(line, 'amount', text, 'a number like 1234.50 or 1234,50');
  return BigInt(match[1]!.replace(/\D/g, '') + (match[2] ?? '').padEnd(2, '0'));
}

/** Without a time zone, the time is that of the country whose currency the line is in. */
function instantOf(line: number, text: string, currency: Currency): number {
  const isDay = !text.includes(':');
  const written = text.replace(' ', 'T').toUpperCase();
  const ms = isDay ? undefined : (parseInstant(written) ?? localMs(written, currency));
  if (ms === undefined) {
    const rule = 'an instant like 2026-11-21T09:30:00Z or 2026-11-21 09:30:00';
    throw wrongValue(line, 'completed_at', text, rule);
  }
  return ms;
}

function localMs(written: string, currency: Currency): number | undefined {
  const wallMs = parseInstant(`${written}Z`);
  return wallMs === undefined ? undefined : instantAtMs(wallMs, timeZoneOf[currency]);
}
