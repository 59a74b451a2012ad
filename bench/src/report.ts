import type { LoadResult } from './load.ts';
import type { PostgresFloors } from './pgbench.ts';

export interface Figures {
  connections: number;
  seconds: number;
  floor: LoadResult;
  postgres: PostgresFloors | undefined;
  creates: LoadResult;
  lives: LoadResult;
  peakMegabytes: number;
}

interface Target {
  name: string;
  value: number | undefined;
  atLeast: number;
}

/** The table for people; the ratios are what counts. */
export function report(figures: Figures): void {
  const { floor, postgres, creates, lives, peakMegabytes } = figures;
  const rows = [
    ['', 'per second', 'p50 ms', 'p99 ms'],
    rateRow('creates', creates),
    rateRow('whole lives', lives),
    rateRow('idle Fastify', floor),
    ...(postgres
      ? [
          ['pgbench INSERT', whole(postgres.insertsPerSecond), '', ''],
          ['pgbench TPC-B', whole(postgres.tpcbPerSecond), '', ''],
        ]
      : []),
  ];
  console.log(`\n${figures.connections} connections, ${figures.seconds} s each\n`);
  printTable(rows);
  console.log('');
  for (const target of targets(figures)) printTarget(target);
  const verdict = peakMegabytes < 300 ? '✓' : '✗';
  console.log(`  ${verdict} memory at most ${whole(peakMegabytes)} MB (below 300)`);
  if (!postgres) console.log('\npgbench was not found: no ratios to PostgreSQL.');
}

function targets({ creates, lives, floor, postgres }: Figures): Target[] {
  const insert = postgres && creates.perSecond / postgres.insertsPerSecond;
  const tpcb = postgres && lives.perSecond / postgres.tpcbPerSecond;
  return [
    { name: 'creates ÷ idle Fastify', value: creates.perSecond / floor.perSecond, atLeast: 0 },
    { name: 'lives ÷ idle Fastify', value: lives.perSecond / floor.perSecond, atLeast: 0 },
    { name: 'creates ÷ INSERT', value: insert, atLeast: 0.5 },
    { name: 'lives ÷ TPC-B', value: tpcb, atLeast: 0.5 },
  ];
}

function printTarget({ name, value, atLeast }: Target): void {
  if (value === undefined) return;
  const verdict = value >= atLeast ? '✓' : '✗';
  const goal = atLeast > 0 ? ` (at least ${atLeast})` : '';
  console.log(`  ${verdict} ${name} ${value.toFixed(2)}${goal}`);
}

const whole = (value: number) => Math.round(value).toLocaleString('en');

function rateRow(name: string, { perSecond, p50Ms, p99Ms }: LoadResult): string[] {
  return [name, whole(perSecond), p50Ms.toFixed(1), p99Ms.toFixed(1)];
}

export function printTable(rows: string[][]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    console.log(`  ${cells.join('  ')}`);
  }
}
