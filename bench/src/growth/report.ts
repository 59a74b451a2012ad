import { styleText } from 'node:util';
import { writeResult } from '../report/files.ts';
import { formatNumber } from '../report/format.ts';
import { thisMachine } from '../report/machine.ts';
import { printTable } from '../report/terminal.ts';

/** Medians of one operation on the short and on the long history. */
export interface GrowthRow {
  name: string;
  smallMs: number;
  largeMs: number;
  ratio: number;
}

const highestRatio = 1.15;

export async function reportGrowth(
  rows: readonly GrowthRow[],
  counts: readonly number[],
): Promise<void> {
  const machine = thisMachine();
  console.log(`\n${styleText('bold', 'Medians on a short and on a long history')}\n`);
  const milliseconds = (value: number) => `${formatNumber(value)} ms`;
  printTable(
    [
      [
        '  payments',
        ...counts.map((count) => count.toLocaleString('en')),
        `ratio ≤ ${highestRatio}`,
      ],
      ...rows.map(({ name, smallMs, largeMs, ratio }) => [
        `${ratio <= highestRatio ? '✓' : '✗'} ${name}`,
        milliseconds(smallMs),
        milliseconds(largeMs),
        ratio.toFixed(2),
      ]),
    ],
    true,
  );
  const text = `${JSON.stringify({ machine, highestRatio, rows }, null, 2)}\n`;
  console.log(`\n  ${await writeResult('growth.json', machine.date, text)}`);
}
