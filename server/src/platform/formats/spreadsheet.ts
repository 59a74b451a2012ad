import { quoted } from './csv.ts';

/** The value of a spreadsheet cell. */
export type Cell =
  | string
  | null
  /** An instant in local time: milliseconds since 1970 there. */
  | { localMs: number }
  | { amountMinor: bigint };

/** The CSV dialect of spreadsheets in a country. */
export interface CsvDialect {
  separator: ',' | ';';
  decimal: '.' | ',';
}

/** CSV for people's spreadsheets: with the mark by which Excel knows that it is UTF-8. */
export async function* csvOf(
  { separator, decimal }: CsvDialect,
  columns: readonly { title: string }[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  const line = (fields: readonly string[]) =>
    `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`;
  yield Buffer.from(`\ufeff${line(columns.map(({ title }) => title))}`);
  for await (const rows of pages) {
    const lines = rows.map((row) => line(row.map((cell) => textOf(cell, decimal))));
    yield Buffer.from(lines.join(''));
  }
}

function textOf(cell: Cell, decimal: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return notFormula(cell);
  if ('localMs' in cell) {
    return new Date(cell.localMs).toISOString().slice(0, 19).replace('T', ' ');
  }
  const { amountMinor } = cell;
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${amountMinor < 0n ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`;
}

/** Where a line begins for some spreadsheet. */
const lineBreaks = String.raw`\t\n\v\f\r\x85\u2028\u2029`;
/** Where a cell begins: each spreadsheet splits at the separator of its country, and at line breaks. */
const cellStart = String.raw`^|[,;\|${lineBreaks}]`;
/**
 * Characters that spreadsheets skip or drop before a formula. A single class avoids backtracking between alternatives.
 */
const skipped = String.raw`[[\s\p{Cf}\p{Cc}"]--[${lineBreaks}]]`;
/** The signs that begin a formula, with their full-width, small, raised and lowered forms, and the minus sign. */
const formulaSigns = '[=＝﹦⁼₌+＋﹢⁺₊\\-－﹣−⁻₋@＠﹫]';
const formulaStarts = new RegExp(`(${cellStart})(?=${skipped}*${formulaSigns})`, 'gv');

/**
 * Puts an apostrophe before any text that a spreadsheet would calculate, so that it stays text: at the start, and after
 * each character at which a spreadsheet of another country may split the line.
 */
export const notFormula = (text: string) => text.replace(formulaStarts, "$1'");
