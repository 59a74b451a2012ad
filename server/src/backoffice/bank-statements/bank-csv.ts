import { readCsv, textOfFile } from '../../platform/formats/csv.ts';
import {
  type BankLine,
  BankStatementError,
  isCalendarDay,
  minorOf,
  requireFewLines,
} from './bank-line.ts';

/** Which columns of a bank's export to read; a column without a name is found by its usual names. */
export interface CsvColumns {
  date?: string | undefined;
  amount?: string | undefined;
  reference?: string | undefined;
  description?: string | undefined;
}

export const csvColumnNames = ['date', 'amount', 'reference', 'description'] as const;
type ColumnName = (typeof csvColumnNames)[number];

/** What banks call these columns, in small letters and without accents; the likeliest first. */
const usual: Record<ColumnName, readonly string[]> = {
  date: [
    'data movimento',
    'data do movimento',
    'data operacao',
    'data mov',
    'data',
    'booking date',
    'date',
    'data valor',
  ],
  amount: ['debito', 'montante', 'valor', 'importancia', 'debit', 'amount'],
  reference: [
    'referencia',
    'ref',
    'n documento',
    'documento',
    'numero do movimento',
    'reference',
    'document',
  ],
  description: [
    'descricao',
    'descritivo',
    'detalhe',
    'observacoes',
    'description',
    'details',
    'narrative',
  ],
};

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, ' ')
    .trim();

/**
 * The transfers of a bank's export, whose first row names the columns. If no amount is negative, all of them left the
 * account: some banks have a column of debits.
 * @throws CsvError
 * @throws BankStatementError
 */
export async function readBankCsv(
  bytes: Uint8Array,
  columns: CsvColumns,
  currency: string,
): Promise<BankLine[]> {
  const text = textOfFile(bytes);
  if (text === undefined)
    throw new BankStatementError('ENCODING', 'The file must be in UTF-8 or Windows-1252.');
  let places: Record<ColumnName, number> | undefined;
  let isOfDebits = false;
  const lines: (BankLine & { signed: bigint })[] = [];
  for await (const { line, fields } of readCsv([text] as unknown as AsyncIterable<string>, 'ANY')) {
    if (places === undefined) {
      places = placesOf(fields, columns);
      isOfDebits = plain(fields[places.amount]!).startsWith('debit');
      continue;
    }
    const of = (name: ColumnName) => fields[places![name]]?.trim() ?? '';
    // Lines of the other direction, and sums at the end.
    if (of('amount') === '') continue;
    const signed = minorOf(decimal(of('amount')), line);
    lines.push({
      line,
      day: dayOf(of('date'), line),
      signed,
      amountMinor: signed < 0n ? -signed : signed,
      currency,
      isDebit: true,
      bankReference: of('reference') || null,
      texts: [of('reference'), of('description')].filter((each) => each !== ''),
    });
    requireFewLines(lines.length);
  }
  if (places === undefined) throw new BankStatementError('EMPTY', 'The file is empty.');
  const hasSigns = lines.some(({ signed }) => signed < 0n);
  // In a column of debits, a single negative amount is a debit taken back.
  const arePositive = !hasSigns || (isOfDebits && lines.some(({ signed }) => signed > 0n));
  const isDebit = (signed: bigint) => (arePositive ? signed >= 0n : signed < 0n);
  return lines.map(({ signed, ...line }) => ({ ...line, isDebit: isDebit(signed) }));
}

function placesOf(head: readonly string[], columns: CsvColumns): Record<ColumnName, number> {
  const heads = head.map(plain);
  const place = (name: ColumnName): number => {
    const asked = columns[name];
    const names = asked ? [plain(asked)] : usual[name];
    const found = names.map((each) => heads.indexOf(each)).find((index) => index >= 0);
    if (found !== undefined) return found;
    if (!asked && (name === 'reference' || name === 'description')) return -1;
    const shown = head
      .map((each) => each.trim())
      .join(', ')
      .slice(0, 300);
    throw new BankStatementError(
      'NO_COLUMN',
      `No column for ${name}; there are: ${shown}`,
      name,
      shown,
    );
  };
  const [date, amount] = [place('date'), place('amount')];
  const [reference, description] = [place('reference'), place('description')];
  if (reference >= 0 || description >= 0) return { date, amount, reference, description };
  throw new BankStatementError(
    'NO_COLUMN',
    'No column for the reference or the description.',
    'reference',
    head.join(', ').slice(0, 300),
  );
}

const grouped = /^[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/** `1.234,50`, `1,234.50`, `1 234,50` or `-1234.5` in the notation of programs, where `1234.500` has no thousands. */
function decimal(text: string): string {
  const tight = text
    .replace(/[\s\u00a0\u202f']/g, '')
    .replace(/^[A-Z]{3}|[A-Z]{3}$/g, '')
    .replace('−', '-');
  const last = Math.max(tight.lastIndexOf(','), tight.lastIndexOf('.'));
  const isDecimal = last >= 0 && (/^[.,]\d{1,2}$/.test(tight.slice(last)) || !grouped.test(tight));
  const whole = isDecimal ? tight.slice(0, last) : tight;
  const digits = grouped.test(whole) ? whole.replace(/[.,]/g, '') : whole;
  return isDecimal ? `${digits}.${tight.slice(last + 1)}` : digits;
}

/** `2026-11-27`, `27-11-2026`, `27/11/2026` or `27.11.2026`, with or without a time of day. */
function dayOf(text: string, line: number): string {
  const [, year, month, day] = /^(\d{4})[-/.](\d\d)[-/.](\d\d)(?:\D|$)/.exec(text) ?? [];
  const [, lastDay, lastMonth, lastYear] =
    /^(\d\d)[-/.](\d\d)[-/.](\d{4})(?:\D|$)/.exec(text) ?? [];
  const found = year ? `${year}-${month}-${day}` : `${lastYear}-${lastMonth}-${lastDay}`;
  if (isCalendarDay(found)) return found;
  const about = [text.slice(0, 40), String(line)];
  throw new BankStatementError('DAY', `"${about[0]}" is no date, in line ${line}.`, ...about);
}
