import type { Plan } from '../plan.ts';
import { formatFigure, formatNumber } from './format.ts';
import type { Summary } from './summary.ts';

/** A table for people: the first row is its head, the first column names things. */
export interface Table {
  title: string;
  note?: string;
  rows: string[][];
}

/** All figures but the verdicts, as both the terminal and the page show them. */
export function tablesOf(summary: Summary, plan: Plan): Table[] {
  const cell = (figure: string) => {
    const spread = summary.get(figure);
    return spread ? formatFigure(figure, spread.median) : '–';
  };
  const rates = (name: string, figure: string) => [
    name,
    ...['perSecond', 'p50Ms', 'p99Ms', 'loadCores'].map((part) => cell(`${figure}.${part}`)),
  ];
  const head = (first: string) => [first, 'rate', 'p50', 'p99', 'load, cores'];
  const sweep = (figure: string) =>
    plan.connections.map((count) => rates(String(count), `${figure}.${count}`));
  const usual = plan.usualConnections;
  return [
    {
      title: 'Creates',
      note: 'answers alone, closed loop',
      rows: [head('connections'), ...sweep('creates')],
    },
    {
      title: 'Whole lives',
      note: 'from the creation to payment.debited at the receiver, closed loop',
      rows: [head('connections'), ...sweep('lives')],
    },
    {
      title: 'At half the rate',
      note: 'open loop; latencies count from when a request was to be sent',
      rows: [
        head(''),
        rates('creates alone', 'half.creates'),
        rates('whole lives', 'half.lives'),
        [
          'creates of these',
          '',
          cell('half.lives.answer.p50Ms'),
          cell('half.lives.answer.p99Ms'),
          '',
        ],
        ['commit → webhook', '', cell('half.webhooks.p50Ms'), cell('half.webhooks.p99Ms'), ''],
      ],
    },
    {
      title: 'Requests',
      note: `closed loop, ${usual} connections; refunds 16`,
      rows: [
        head(''),
        rates('creates, one tenant', `creates.${usual}`),
        rates('creates, 1,000 tenants', 'tenants'),
        rates('idempotent replays', 'replays'),
        rates('gets', 'gets'),
        rates('lists of 20', 'lists'),
        rates('refunds', 'refunds'),
      ],
    },
    {
      title: 'Webhooks',
      note: 'closed loop of whole lives, done when every endpoint was told',
      rows: [
        ['endpoints', 'payments', 'deliveries', 'p50', 'p99'],
        ...plan.fanOuts.map((count) => [
          String(count),
          ...['perSecond', 'deliveriesPerSecond', 'p50Ms', 'p99Ms'].map((part) =>
            cell(`fanout.${count}.${part}`),
          ),
        ]),
      ],
    },
    {
      title: 'One payment costs',
      note: 'a whole life, its webhook included; processor time of the gateway',
      rows: [
        ['connections', 'WAL', 'statements', 'processor'],
        ...[1, usual].map((count) => [
          String(count),
          cell(`cost.${count}.walBytes`),
          statementsOf(summary, count),
          cell(`cost.${count}.processorMs`),
        ]),
      ],
    },
    {
      title: 'Floors',
      rows: [
        ['', 'rate'],
        ['pgbench, one-row INSERT', cell('floor.insert.perSecond')],
        ['pgbench, TPC-B', cell('floor.tpcb.perSecond')],
        ['Fastify that does nothing', cell('floor.fastify.perSecond')],
        ['bare undici loop', cell('floor.undici.perSecond')],
      ],
    },
  ];
}

function statementsOf(summary: Summary, connections: number): string {
  const spread = summary.get(`cost.${connections}.statements`);
  return spread ? formatNumber(spread.median) : '–';
}
