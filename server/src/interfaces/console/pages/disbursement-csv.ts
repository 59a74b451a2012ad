import { mostRows } from '../../../money/disbursements/batches/batch.ts';
import type { BatchRow } from '../../../money/disbursements/batches/create.ts';
import { operatorLabels, operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { CsvError, readCsv, textOfFile } from '../../../platform/formats/csv.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { currencyOfPhone, normalizePhone } from '../../../platform/values/phone.ts';
import { countryOf, internationalPhone } from '../../../storefront/checkout/page/phone.ts';
import { parseAmount } from '../parts/amount.ts';
import { minorText } from '../parts/format.ts';
import { operatorsOf } from '../parts/payer.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './disbursement-batches.words.ts';

/** The columns of a file, in the order in which a checked file is carried on. */
export const rowColumns = ['operator', 'phone', 'amount', 'reference', 'description'] as const;
export type RowColumn = (typeof rowColumns)[number];

/** A row as it is typed in the file. */
export interface TypedRow extends Record<RowColumn, string> {
  /** Of the file, from 1. */
  line: number;
}

/** What is wrong with a row. */
export interface RowProblem {
  line: number;
  column: RowColumn;
  /** As it is typed. */
  typed: string;
  text: string;
}

const longestText = 255;
/** Blank lines count too: they take time. */
const mostLines = 10 * mostRows;
/** So many characters are read before a file may turn out to have too many lines. */
const pieceLength = 65_536;
const mostMinor = 100_000_000n;

/** What people call the columns, in small letters and without accents. */
const usual: Record<RowColumn, readonly string[]> = {
  operator: ['operador', 'operadora', 'rede', 'operator', 'network'],
  phone: ['telefone', 'telemovel', 'numero', 'conta movel', 'phone', 'mobile', 'number', 'wallet'],
  amount: ['valor', 'montante', 'quantia', 'amount', 'value'],
  reference: ['referencia', 'ref', 'reference', 'external id', 'externalid'],
  description: ['descricao', 'descritivo', 'nota', 'description', 'note'],
};
const required: readonly RowColumn[] = ['operator', 'phone', 'amount'];

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, ' ')
    .trim();

/** The rows of a file, or what is wrong with it, in the reader's words. */
export async function readRowsOfFile(
  visit: MerchantContext,
  bytes: Uint8Array,
): Promise<TypedRow[] | string> {
  const { wrong } = allWords[visit.language];
  const text = textOfFile(bytes);
  if (text === undefined) return wrong.encoding;
  let head: Head | undefined;
  const rows: TypedRow[] = [];
  try {
    for await (const { line, fields } of readCsv(piecesOf(text), 'ANY')) {
      if (line > mostLines) return wrong.tooMany;
      if (fields.every(isBlank)) continue;
      if (head === undefined) {
        const found = headIn(visit, fields);
        if (typeof found === 'string') return found;
        head = found;
        continue;
      }
      if (rows.length === mostRows) return wrong.tooMany;
      const { places, isNamed } = head;
      // An amount with a comma in it, in a file with commas, is two fields: the first would be paid.
      if (fields.some((each, place) => !isBlank(each) && !isNamed[place]))
        return wrong.cells(String(line));
      const cells = rowColumns.map((name) => fields[places[name] ?? -1] ?? '');
      rows.push(typedRow(line, cells));
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return wrong.csv(String(error.line));
  }
  return rows.length === 0 ? wrong.empty : rows;
}

const isBlank = (cell: string): boolean => cell.trim() === '';

/** Old programs end lines with a carriage return alone. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  for (let start = 0; start < lines.length; start += pieceLength)
    yield lines.slice(start, start + pieceLength);
}

/** The first line: where our columns stand, and which columns have a name at all. */
interface Head {
  places: Partial<Record<RowColumn, number>>;
  isNamed: readonly boolean[];
}

/** What is wrong with it, if a column is missing, or if it is unclear which one the person means. */
function headIn(visit: MerchantContext, fields: readonly string[]): Head | string {
  const { wrong, columns } = allWords[visit.language];
  const heads = fields.map(plain);
  const places: Head['places'] = {};
  for (const name of rowColumns) {
    const [first, second] = heads.flatMap((each, place) =>
      usual[name].includes(each) ? [place] : [],
    );
    if (first !== undefined) places[name] = first;
    else if (required.includes(name)) return wrong.column(columns[name]);
    if (second !== undefined) return wrong.columnTwice(columns[name]);
  }
  return { places, isNamed: fields.map((each) => !isBlank(each)) };
}

/** The apostrophe keeps a spreadsheet from calculating; PostgreSQL's text cannot contain NUL. */
const cellText = (text: string) => text.replaceAll('\0', '').trim().replace(/^'/, '').trim();

function typedRow(line: number, cells: readonly string[]): TypedRow {
  const [operator = '', phone = '', amount = '', reference = '', description = ''] = cells.map(
    (each) => cellText(each).slice(0, 1_000).toWellFormed(),
  );
  return { line, operator, phone, amount, reference, description };
}

/** The rows as a text that the form to confirm carries. */
export const carriedRows = (rows: readonly TypedRow[]): string =>
  JSON.stringify(rows.map((row) => [row.line, ...rowColumns.map((name) => row[name])]));

/** The rows of such a text; undefined if it is not from our form. */
export function rowsCarried(text: string): TypedRow[] | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(given) || given.length === 0 || given.length > mostRows) return undefined;
  const rows = given.map((row: unknown) => {
    if (!Array.isArray(row)) return undefined;
    const [line, ...cells] = row as unknown[];
    const isRow = Number.isSafeInteger(line) && cells.every((each) => typeof each === 'string');
    return isRow ? typedRow(line as number, cells as string[]) : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

/** The rows of a batch, or everything that is wrong, each at its row. */
export function checkTypedRows(
  visit: MerchantContext,
  rows: readonly TypedRow[],
): { rows: BatchRow[] } | { problems: RowProblem[] } {
  const problems: RowProblem[] = [];
  const checked: BatchRow[] = [];
  for (const row of rows) {
    const read = readRow(visit, row);
    if ('amountMinor' in read) checked.push(read);
    else problems.push(...problemsOf(row, read));
  }
  return problems.length > 0 ? { problems } : { rows: checked };
}

const problemsOf = (row: TypedRow, texts: Partial<Record<RowColumn, string>>): RowProblem[] =>
  rowColumns.flatMap((column) => {
    const text = texts[column];
    return text === undefined ? [] : [{ line: row.line, column, typed: row[column], text }];
  });

function readRow(
  visit: MerchantContext,
  typed: TypedRow,
): BatchRow | Partial<Record<RowColumn, string>> {
  const { wrong } = allWords[visit.language];
  const country = countryOf[visit.ownCurrency ?? 'CVE'].callingCode;
  // A spreadsheet's number with decimals would be a longer phone without its point.
  const isDecimal = /^\d+\.\d{1,2}$/.test(typed.phone);
  const phone = isDecimal ? undefined : normalizePhone(internationalPhone(typed.phone, country));
  const operator = operatorOf(typed.operator);
  const amountMinor = parseAmount(typed.amount);
  const { maxMinor } = visit.terms.disbursements;
  const limitMinor = maxMinor !== null && maxMinor < mostMinor ? maxMinor : mostMinor;
  const currency = phone === undefined ? undefined : currencyOfPhone(phone);
  const isOffered =
    operator !== undefined &&
    (currency === undefined || operatorsOf(visit, currency).includes(operator));
  const texts: Partial<Record<RowColumn, string>> = {};
  if (phone === undefined) texts.phone = wrong.phone;
  if (!isOffered) texts.operator = wrong.operator;
  if (amountMinor === undefined || amountMinor === 0n) texts.amount = wrong.amount;
  else if (amountMinor > limitMinor) texts.amount = wrong.tooMuch(minorText(visit, limitMinor));
  else if (currency !== undefined && namedCurrency(typed.amount, currency) !== currency)
    texts.amount = wrong.otherCurrency(currency);
  for (const name of rowColumns) if (/[\r\n]/.test(typed[name])) texts[name] = wrong.lineBreak;
  for (const name of ['reference', 'description'] as const)
    if (Array.from(typed[name]).length > longestText) texts[name] = wrong.tooLong;
  if (Object.keys(texts).length > 0) return texts;
  return {
    amountMinor: amountMinor!,
    operator: operator!,
    operatorPhone: phone!,
    currency: currency!,
    externalId: typed.reference || null,
    description: typed.description || null,
    customerId: null,
    statementDescriptor: null,
    metadata: null,
  };
}

/** The currency that stands beside the amount; without one, that of the phone. */
function namedCurrency(amount: string, currency: Currency): Currency {
  if (/AOA|Kz/i.test(amount)) return 'AOA';
  return /CVE/i.test(amount) ? 'CVE' : currency;
}

/** By its code or by its name, however it is spelt. */
function operatorOf(typed: string) {
  const asked = plain(typed);
  return operatorNames.find(
    (name) =>
      asked === plain(name) ||
      asked === plain(operatorLabels[name]) ||
      (name === 'MOCK' && asked === 'simulador'),
  );
}
