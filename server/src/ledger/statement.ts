import { currencies } from '../payments/payment.ts';
import { CsvError, type CsvRow } from '../platform/csv.ts';
import { parseId } from '../platform/ids.ts';

/** One line of an operator's statement (docs/reconciliation.md). */
export interface StatementRow {
  line: number;
  transactionId: string;
  /** As the statement has it. */
  reference: string;
  /** The UUID that it stands for; null where it is none of ours. */
  referenceId: string | null;
  type: StatementType;
  amountMinor: bigint;
  currency: string;
  status: StatementStatus;
  /** Null where nothing was completed. */
  completedAtMs: number | null;
}

const types = ['DEBIT', 'REFUND', 'REVERSAL'] as const;
export type StatementType = (typeof types)[number];
const statuses = ['COMPLETED', 'PENDING', 'FAILED'] as const;
export type StatementStatus = (typeof statuses)[number];

const columns = [
  'transaction_id',
  'reference',
  'type',
  'amount',
  'currency',
  'status',
  'completed_at',
] as const;
type Column = (typeof columns)[number];

/**
 * Reads a statement as it streams in; its columns may stand in any order, and among others.
 * @throws CsvError with the line and what is wrong there
 */
export async function* readStatement(rows: AsyncIterable<CsvRow>): AsyncGenerator<StatementRow> {
  let places: Record<Column, number> | undefined;
  for await (const row of rows) {
    if (places === undefined) places = placesOf(row);
    else yield rowOf(row, places);
  }
  if (places === undefined) throw new CsvError(1, `the file is empty; ${headingRule}`);
}

const headingRule = `the first line must name the columns ${columns.join(',')}`;

function placesOf({ line, fields }: CsvRow): Record<Column, number> {
  const headings = fields.map((field) => field.trim().toLowerCase());
  const missing = columns.filter((column) => !headings.includes(column));
  if (missing.length > 0) throw new CsvError(line, `${headingRule}; there is no ${missing[0]}`);
  const entries = columns.map((column) => [column, headings.indexOf(column)]);
  return Object.fromEntries(entries) as Record<Column, number>;
}

function rowOf({ line, fields }: CsvRow, places: Record<Column, number>): StatementRow {
  // Which a text column cannot hold.
  if (fields.some((field) => field.includes('\0'))) throw new CsvError(line, 'there is a NUL');
  const text = (column: Column) => (fields[places[column]] ?? '').trim();
  const word = <Word extends string>(column: Column, words: readonly Word[]): Word => {
    const found = words.find((one) => one === text(column).toUpperCase());
    if (found === undefined) {
      throw new CsvError(line, `${column} is ${shown(text(column))}, not ${words.join(', ')}`);
    }
    return found;
  };
  const status = word('status', statuses);
  const completedAt = text('completed_at');
  return {
    line,
    transactionId: text('transaction_id'),
    reference: text('reference'),
    referenceId: referenceIdOf(text('reference')),
    type: word('type', types),
    amountMinor: amountMinorOf(line, text('amount')),
    currency: word('currency', currencies),
    status,
    completedAtMs:
      completedAt === '' && status !== 'COMPLETED' ? null : instantOf(line, completedAt),
  };
}

const shown = (text: string) => JSON.stringify(text.slice(0, 60));

function referenceIdOf(reference: string): string | null {
  const text = reference.toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  return parseId('pi', text) ?? parseId('re', text) ?? null;
}

/** Both currencies have two minor digits; digits beyond them must be zeros. */
function amountMinorOf(line: number, text: string): bigint {
  const match = /^(\d{1,15})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) throw new CsvError(line, `amount is ${shown(text)}, not a number like 1234.50`);
  return BigInt(match[1]! + (match[2] ?? '').padEnd(2, '0'));
}

const instantPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

function instantOf(line: number, text: string): number {
  const ms = instantPattern.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(ms)) {
    const rule = 'an instant with its time zone like 2026-11-21T09:30:00Z';
    throw new CsvError(line, `completed_at is ${shown(text)}, not ${rule}`);
  }
  return ms;
}
