import { styleText } from 'node:util';
import { StartError } from '../platform/errors/start-error.ts';

export {
  formatAge,
  formatAmount,
  formatBytes,
  formatInstant,
  formatMajor,
} from '../platform/formats/display-format.ts';

/** The options of every command that prints something. */
export interface Output {
  /** For programs. */
  json?: true | undefined;
}

/** One object or array, for programs. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** A secret that is shown only once. */
export interface ShownOnce {
  /** For programs. */
  object: object;
  fields: Record<string, string>;
  words: string;
  /** The advice if the secret could not be printed. */
  instead: string;
}

/** @throws StartError if it could not be written */
export async function printOnce({ json }: Output, shown: ShownOnce): Promise<void> {
  if (json) printJson(shown.object);
  else {
    printFields(shown.fields);
    console.log(`\n${shown.words}`);
  }
  await expectWritten(shown.instead);
}

/** @throws StartError if the output could not be written, for example because the reader has gone */
export async function expectWritten(instead: string): Promise<void> {
  // A write after a failed one fails too.
  const error = await new Promise((resolve) => process.stdout.write('', resolve));
  if (error)
    throw new StartError('The secret, which is shown only once, could not be written.', instead);
}

/** For keys. */
export const keepNow = 'Keep the key now: only its hash is stored, and it cannot be shown again.';

/** Columns as wide as their widest cell; plain if the output is not a terminal. */
export function printTable(headings: readonly string[], rows: readonly string[][]): void {
  const cells = rows.map((row) => row.map(printable));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(styleText('bold', lineOf(headings)));
  for (const row of cells) console.log(lineOf(row));
}

/** A heading, and the cell of a row. */
export type Column<Row> = readonly [heading: string, cellOf: (row: Row) => string];

export function printRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
  printTable(
    columns.map(([heading]) => heading),
    rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
  );
}

/** A name or a value on each line. */
export function printFields(fields: Record<string, string>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    console.log(`${styleText('bold', name.padEnd(width))}  ${printable(value)}`);
  }
}

/**
 * Names come from untrusted sources: control characters could rewrite the screen, and bidirectional control characters
 * could make one text read as another.
 */
export function printable(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cc}/gu, ' ');
}

/** `1,234,567`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
