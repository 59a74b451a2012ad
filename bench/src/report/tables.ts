import type { Plan } from '../plan.ts';
import { formatFigure, formatNumber } from './format.ts';
import type { Summary } from './summary.ts';

/** A table for people: the first row is its head, the first column has the names. */
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

const median =
  (figure: string): Cell =>
  (summary) => {
    const spread = summary.get(figure);
    return spread ? formatFigure(figure, spread.median) : '';
  };

/** Empty after a single run. */
const range =
  (figure: string): Cell =>
  (summary) => {
    const { min, max } = summary.get(figure) ?? { min: 0, max: 0 };
    return min === max ? '' : `${formatNumber(min)} … ${formatNumber(max)}`;
  };

const loadParts: [head: string, cell: (figure: string) => Cell][] = [
  ['rate', (figure) => median(`${figure}.perSecond`)],
  ['range', (figure) => range(`${figure}.perSecond`)],
  ['p50', (figure) => median(`${figure}.p50Ms`)],
  ['p99', (figure) => median(`${figure}.p99Ms`)],
  ['gateway', (figure) => median(`${figure}.gatewayMicroseconds`)],
  ['PostgreSQL', (figure) => median(`${figure}.postgresMicroseconds`)],
  ['load', (figure) => median(`${figure}.loadCores`)],
];

const loadHead = (first: string) => [first, ...loadParts.map(([head]) => head)].map(text);

const loadRow = (name: string, figure: string): Cell[] => [
  text(name),
  ...loadParts.map(([, cell]) => cell(figure)),
];

/** All figures except the verdicts, for both the terminal and the page; without empty tables. */
export function tablesOf(summary: Summary, plan: Plan): Table[] {
  return [...loadTables(plan), ...otherTables(plan)].flatMap(({ rows, ...table }) => {
    const filled = withoutEmpty(rows.map((row) => row.map((cell) => cell(summary))));
    return filled.length > 1 ? [{ ...table, rows: filled }] : [];
  });
}

/** Leaves out rows and columns without a measurement. */
export function withoutEmpty([head, ...body]: string[][]): string[][] {
  const rows = body.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  const isFilled = (column: number) => column === 0 || rows.some((row) => row[column] !== '');
  return [head!, ...rows].map((row) => row.filter((_, column) => isFilled(column)));
}

interface Layout {
  title: string;
  note?: string;
  rows: Cell[][];
}

const loads = (
  title: string,
  note: string,
  rows: [name: string, figure: string][],
  first = '',
) => ({
  title,
  note,
  rows: [loadHead(first), ...rows.map(([name, figure]) => loadRow(name, figure))],
});

function loadTables({ connections, usualConnections: usual, fanOuts }: Plan): Layout[] {
  const sweep = (figure: string) =>
    connections.map((count): [string, string] => [String(count), `${figure}.${count}`]);
  return [
    loads(
      'Creates',
      'with key, references and metadata, a tenth of them repeated; closed loop',
      sweep('creates.real'),
      'connections',
    ),
    loads(
      'Bare creates',
      'nothing but what is needed; closed loop',
      sweep('creates.bare'),
      'connections',
    ),
    loads(
      'Whole lives',
      'from the creation to payment.debited at the receiver, closed loop',
      sweep('lives'),
      'connections',
    ),
    loads('Requests', `closed loop, ${usual} connections`, [
      ['creates', `creates.real.${usual}`],
      ['creates, embedded PostgreSQL', 'creates.embedded'],
      ['bare creates', `creates.bare.${usual}`],
      ['bare creates, 1,000 tenants', 'tenants'],
      ['idempotent replays', 'replays'],
      ['gets', 'gets'],
      ['lists of 20', 'lists.plain'],
      ['lists of a status', 'lists.status'],
      ['lists of a customer', 'lists.customer'],
      ['lists far back', 'lists.deep'],
      ['refunds', 'refunds'],
      ['checkout sessions with their page', 'checkouts'],
    ]),
    loads('At half the rate', 'open loop; latencies count from when a request was to be sent', [
      ['creates', 'creates.real.half'],
      ['bare creates', 'creates.bare.half'],
      ['gets', 'gets.half'],
      ['lists of 20', 'lists.plain.half'],
      ['refunds', 'refunds.half'],
      ['checkout sessions with their page', 'checkouts.half'],
      ['whole lives', 'lives.half'],
      ['creates of these', 'lives.half.answer'],
      ['commit → webhook', 'lives.half.webhook'],
    ]),
    loads('Deliveries', 'events that no endpoint has got, sent again over the API', [
      ['again, to 1 endpoint', 'deliveries.1'],
      ['again, to 10 endpoints', 'deliveries.10'],
    ]),
    {
      title: 'Webhooks of whole lives',
      note: 'closed loop, done when every endpoint was told',
      rows: figureRows(
        ['endpoints', 'payments', 'deliveries', 'p50', 'p99'],
        fanOuts.map((count) => [String(count), `fanout.${count}`]),
        ['perSecond', 'deliveriesPerSecond', 'p50Ms', 'p99Ms'],
      ),
    },
  ];
}

function figureRows(heads: string[], names: string[][], parts: string[]): Cell[][] {
  return [
    heads.map(text),
    ...names.map(([name, figure]) => [
      text(name!),
      ...parts.map((part) => median(`${figure}.${part}`)),
    ]),
  ];
}

function otherTables({ usualConnections: usual }: Plan): Layout[] {
  return [
    {
      title: 'Floors',
      note: 'pgbench by TCP, on the PostgreSQL of the gateway',
      rows: figureRows(
        ['', 'rate', 'PostgreSQL'],
        [
          ['pgbench, one-row INSERT', 'floor.insert'],
          ['the same by the socket', 'floor.insertBySocket'],
          ['pgbench, SELECT by primary key', 'floor.select'],
          ['pgbench, SELECT of 20 by index', 'floor.selectList'],
          ['pgbench, TPC-B', 'floor.tpcb'],
          ['Fastify that does nothing', 'floor.fastify'],
          ['bare undici loop', 'floor.undici'],
        ],
        ['perSecond', 'postgresMicroseconds'],
      ),
    },
    {
      title: 'One payment costs',
      note: 'a whole life, its webhook included; processor time of the gateway',
      rows: figureRows(
        ['connections', 'WAL', 'statements', 'processor'],
        [1, usual].map((count) => [String(count), `cost.${count}`]),
        ['walBytes', 'statements', 'processorMs'],
      ),
    },
    {
      title: 'A command',
      note: 'from its start to its end',
      rows: [
        ['', 'time', 'processor'].map(text),
        [text('zimbo payments get'), median('commands.getMs'), median('commands.get.processorMs')],
      ],
    },
    {
      title: 'The machine',
      note: 'how long the same work takes it',
      rows: [
        ['', 'time', 'range'].map(text),
        ...['before', 'after'].map((when) => [
          text(`${when} each run`),
          median(`calibration.${when}Ms`),
          range(`calibration.${when}Ms`),
        ]),
      ],
    },
  ];
}
