import type { Plan } from '../plan.ts';
import { formatFigure, formatNumber } from './format.ts';
import type { Summary } from './summary.ts';

/** A table for people: the first row is its head, the first column names things. */
export interface Table {
  title: string;
  note?: string;
  rows: string[][];
}

type Cell = (summary: Summary) => string;

const text =
  (given: string): Cell =>
  () =>
    given;
const blank = text('');

const median =
  (figure: string): Cell =>
  (summary) => {
    const spread = summary.get(figure);
    return spread ? formatFigure(figure, spread.median) : '–';
  };

/** Empty after a single run. */
const range =
  (figure: string): Cell =>
  (summary) => {
    const { min, max } = summary.get(figure) ?? { min: 0, max: 0 };
    return min === max ? '' : `${formatNumber(min)} … ${formatNumber(max)}`;
  };

const loadHead = (first: string) =>
  [first, 'rate', 'range', 'p50', 'p99', 'load'].map((head) => text(head));

const loadRow = (name: string, figure: string): Cell[] => [
  text(name),
  median(`${figure}.perSecond`),
  range(`${figure}.perSecond`),
  median(`${figure}.p50Ms`),
  median(`${figure}.p99Ms`),
  median(`${figure}.loadCores`),
];

const latencyRow = (name: string, figure: string): Cell[] => [
  text(name),
  blank,
  blank,
  median(`${figure}.p50Ms`),
  median(`${figure}.p99Ms`),
  blank,
];

/** All figures but the verdicts, as both the terminal and the page show them. */
export function tablesOf(summary: Summary, plan: Plan): Table[] {
  return [...loadTables(plan), ...otherTables(plan)].map(({ rows, ...table }) => ({
    ...table,
    rows: withoutEmptyColumns(rows.map((row) => row.map((cell) => cell(summary)))),
  }));
}

function withoutEmptyColumns([head, ...body]: string[][]): string[][] {
  const isFilled = (column: number) => body.some((row) => row[column] !== '');
  return [head!, ...body].map((row) => row.filter((_, column) => isFilled(column)));
}

interface Layout {
  title: string;
  note?: string;
  rows: Cell[][];
}

function loadTables({ connections, usualConnections: usual }: Plan): Layout[] {
  const sweep = (figure: string) => [
    loadHead('connections'),
    ...connections.map((count) => loadRow(String(count), `${figure}.${count}`)),
  ];
  return [
    { title: 'Creates', note: 'answers alone, closed loop', rows: sweep('creates') },
    {
      title: 'Whole lives',
      note: 'from the creation to payment.debited at the receiver, closed loop',
      rows: sweep('lives'),
    },
    {
      title: 'At half the rate',
      note: 'open loop; latencies count from when a request was to be sent',
      rows: [
        loadHead(''),
        loadRow('creates alone', 'half.creates'),
        loadRow('whole lives', 'half.lives'),
        latencyRow('creates of these', 'half.lives.answer'),
        latencyRow('commit → webhook', 'half.webhooks'),
      ],
    },
    {
      title: 'Requests',
      note: `closed loop, ${usual} connections; refunds 16`,
      rows: [
        loadHead(''),
        loadRow('creates, one tenant', `creates.${usual}`),
        loadRow('creates, 1,000 tenants', 'tenants'),
        loadRow('idempotent replays', 'replays'),
        loadRow('gets', 'gets'),
        loadRow('lists of 20', 'lists'),
        loadRow('refunds', 'refunds'),
      ],
    },
  ];
}

function otherTables({ fanOuts, usualConnections: usual }: Plan): Layout[] {
  const rows = (heads: string[], names: string[][], parts: string[]) => [
    heads.map(text),
    ...names.map(([name, figure]) => [
      text(name!),
      ...parts.map((part) => median(`${figure}.${part}`)),
    ]),
  ];
  return [
    {
      title: 'Webhooks',
      note: 'closed loop of whole lives, done when every endpoint was told',
      rows: rows(
        ['endpoints', 'payments', 'deliveries', 'p50', 'p99'],
        fanOuts.map((count) => [String(count), `fanout.${count}`]),
        ['perSecond', 'deliveriesPerSecond', 'p50Ms', 'p99Ms'],
      ),
    },
    {
      title: 'One payment costs',
      note: 'a whole life, its webhook included; processor time of the gateway',
      rows: rows(
        ['connections', 'WAL', 'statements', 'processor'],
        [1, usual].map((count) => [String(count), `cost.${count}`]),
        ['walBytes', 'statements', 'processorMs'],
      ),
    },
    {
      title: 'Floors',
      rows: rows(
        ['', 'rate'],
        [
          ['pgbench, one-row INSERT', 'floor.insert'],
          ['pgbench, TPC-B', 'floor.tpcb'],
          ['Fastify that does nothing', 'floor.fastify'],
          ['bare undici loop', 'floor.undici'],
        ],
        ['perSecond'],
      ),
    },
  ];
}
