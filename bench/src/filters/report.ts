import { styleText } from 'node:util';
import { printTable } from '../report/terminal.ts';
import type { Measured } from './measure.ts';

/** The most that a page may read: the limit of a search by metadata. */
const mostRows = 50_000;
const mostTimes = 3;
const shown = 12;

/** Prints what the pairs of a list read and took, and the worst of them. */
export function reportList(name: string, all: readonly Measured[]): void {
  const [plain, ...pairs] = all;
  const answered = pairs.filter(({ status }) => status === 200);
  const refused = pairs.filter(({ status }) => status === 400);
  const failed = pairs.filter(({ status }) => status !== 200 && status !== 400);
  const plainTimes = all.flatMap(({ plainMs }) => plainMs);
  console.log(`\n${styleText('bold', name)}`);
  printTable(
    [
      ['filters', 'requests', 'answered', 'refused', 'plain p99', 'p95', 'p99', 'ratio'],
      totalsOf(
        'with newer ones',
        pairs.filter(({ isLimited }) => isLimited),
        plainTimes,
      ),
      totalsOf(
        'others',
        pairs.filter(({ isLimited }) => !isLimited),
        plainTimes,
      ),
    ],
    true,
  );
  const rows = plain!.reads!;
  console.log(`  plain: ${rows.rows} rows, ${rows.buffers} buffers`);
  for (const said of new Set(refused.map((each) => each.said.replace(/\d{4,}/g, 'N'))))
    console.log(`  refused: ${said}`);
  for (const { query, status, said } of failed) console.log(`  ${status} ${query}  ${said}`);
  const widest = answered.toSorted((one, other) => other.reads!.rows - one.reads!.rows);
  const tooMany = widest.filter(({ reads }) => reads!.rows > mostRows).length;
  console.log(`  ${tooMany} pairs read more than ${mostRows} rows; the widest:`);
  printTable(widest.slice(0, Math.max(shown, Number(process.env.SHOWN ?? 0))).map(lineOf));
}

function totalsOf(kind: string, some: readonly Measured[], plainTimes: readonly number[]) {
  const answered = some.filter(({ status }) => status === 200);
  const refused = some.filter(({ status }) => status === 400);
  const times = answered.flatMap(({ ms }) => ms);
  const ratio = p99(times) / p99(plainTimes);
  return [
    kind,
    String(some.length),
    String(answered.length),
    String(refused.length),
    `${p99(plainTimes).toFixed(1)} ms`,
    `${at(times, 0.95).toFixed(1)} ms`,
    `${p99(times).toFixed(1)} ms`,
    `${ratio.toFixed(1)}${ratio > mostTimes ? ' !' : ''}`,
  ];
}

const lineOf = ({ query, rowsAnswered, reads, ms }: Measured): string[] => [
  `${decodeURIComponent(query).slice(0, 130)}  ${reads!.from.join(', ').slice(0, 90)}`,
  `${rowsAnswered} of ${reads!.rows}`,
  `${reads!.buffers}`,
  `${median(ms).toFixed(1)} ms`,
];

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other);
const at = (values: readonly number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const p99 = (values: readonly number[]) => at(values, 0.99);
const median = (values: readonly number[]) => at(values, 0.5);
