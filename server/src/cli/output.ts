import { styleText } from 'node:util';

/** What every command takes that prints something. */
export interface Output {
  /** For programs. */
  json?: true | undefined;
}

/** One object or array, for programs. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Columns as wide as their widest cell; plain where the output is no terminal. */
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

/** A name or a value on each line. */
export function printFields(fields: Record<string, string>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    console.log(`${styleText('bold', name.padEnd(width))}  ${printable(value)}`);
  }
}

/**
 * Names come from anywhere: control characters could rewrite what the terminal shows, and those that
 * turn the direction of writing make one text read as another.
 */
export function printable(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cc}/gu, ' ');
}

/** `2026-11-21 08:40:03`, in UTC. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `12 s`, `5 min`, `3 h` or `2 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** `1,234.50 CVE`. */
export function formatAmount(amountMinor: bigint, currency: string): string {
  const [whole, minor] = formatMajor(amountMinor).split('.') as [string, string];
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${minor} ${currency}`;
}

/** `1234.50`, for programs: both currencies have two minor digits. */
export function formatMajor(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `1,234,567`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `12.3 MB`: of a million bytes, as disks and networks are measured. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
