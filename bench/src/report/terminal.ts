import { styleText } from 'node:util';
import { formatFigure, formatLimit, formatSpread } from './format.ts';
import type { Verdict } from './limits.ts';
import type { Table } from './tables.ts';

/** A table with its title and note. */
export function printTitled({ title, note, rows }: Table): void {
  console.log(`\n${styleText('bold', title)}${note ? styleText('dim', `  ${note}`) : ''}\n`);
  const [head, ...body] = rows;
  printTable([head!.map((cell) => cell), ...body], true);
}

/** Columns of aligned text; all but the first are figures. */
export function printTable(rows: string[][], hasHead = false): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    const line = `  ${cells.join('   ')}`;
    console.log(hasHead && index === 0 ? styleText('dim', line) : line);
  }
}

/** Each figure against its limit. */
export function printVerdicts(verdicts: readonly Verdict[]): void {
  console.log(`\n${styleText('bold', 'Against the limits')}\n`);
  const rows = verdicts.map((verdict) => [
    verdict.about,
    formatFigure(verdict.figure, verdict.spread.median),
    formatLimit(verdict),
    formatSpread(verdict.figure, verdict.spread),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const [index, { met }] of verdicts.entries()) {
    const [about, figure, limit, range] = rows[index]!;
    const mark = met ? styleText('green', '✓') : styleText('red', '✗');
    const told = `${about!.padEnd(widths[0]!)}   ${figure!.padStart(widths[1]!)}   ${limit!.padEnd(widths[2]!)}`;
    console.log(`  ${mark} ${met ? told : styleText('bold', told)}  ${styleText('dim', range!)}`);
  }
}
