import {
  carriedBy,
  coresOf,
  databaseAfter,
  knownDays,
  meanOf,
  microsOf,
  monthlyCost,
  quantities,
  serving,
} from './arithmetic.ts';
import { type Assumed, meaningOf } from './assumed.ts';
import { bytesTold, hoursTold, tableOf, told } from './format.ts';
import { limitsOf } from './limits.ts';
import { type Measured, measured as m } from './measured.ts';

/** The tables of docs/scale.md, by the names of their places there. */
export const pageTables = (a: Assumed): Record<string, string> => ({
  short: shortList(a),
  cores: coresTable(a),
  machines: machinesTable(a),
  citus: citusTable(a),
  growth: growthTable(a),
  limits: limitsTable(a),
});

/** All tables: those of the page, their inputs, and the cost in money. */
export const arithmeticTables = (a: Assumed): Record<string, string> => ({
  ...pageTables(a),
  money: moneyTable(a),
  measured: measuredTable(),
  assumed: assumedTable(a),
});

/** The introduction of the page. */
function shortList(a: Assumed): string {
  const year = databaseAfter(a, 365);
  const { gateways, database } = coresOf(a);
  return [
    `- **One PostgreSQL is enough for almost everyone.** ${told(a.paymentsPerSecond)} payments a second in the busy hour take ${told(database)} cores of PostgreSQL and ${told(gateways)} cores of gateways. By arithmetic, ${told(a.coresOfLargest)} cores carry ${told(carriedBy(a, a.coresOfLargest))}.`,
    `- **Disk fills before processors do.** Payments and postings are never removed. At ${told(meanOf(a))} a second on average, the database reaches a hundred million payments after ${told(knownDays(a))} days, and ${bytesTold(year.tables)} after a year. Closed payments need an archive, which is not built.`,
    `- **Citus comes last.** One node does ${told(m.citusLives.value)} of the whole lives of plain PostgreSQL, so more than three nodes match one PostgreSQL.`,
  ].join('\n');
}

const measuredTable = () =>
  tableOf([
    ['Measured', '', 'Where'],
    ...Object.values<Measured>(m).map(({ what, value, unit, page }) => [
      what,
      measuredTold(value, unit),
      page,
    ]),
  ]);

/** The figure as on its page, unrounded. */
function measuredTold(value: number, unit: string): string {
  const number = value.toLocaleString('en', {
    maximumFractionDigits: value < 1 ? 2 : value < 10 ? 1 : 0,
  });
  return unit === '' || unit.startsWith('/') ? number + unit : `${number} ${unit}`;
}

const assumedTable = (a: Assumed) =>
  tableOf([
    ['Assumed', '', 'Option'],
    ...Object.entries(meaningOf).map(([name, meaning]) => [
      meaning,
      told(a[name as keyof Assumed]),
      `\`--${optionOf(name)}\``,
    ]),
  ]);

/** `peakToMean` is `--peak-to-mean`. */
export const optionOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The payments that a PostgreSQL with this many cores carries, and the gateways that this needs. */
function coresTable(a: Assumed): string {
  const choices = [2, 4, 8, 16, 32, a.coresOfLargest].filter((cores) => cores <= a.coresOfLargest);
  return tableOf([
    ['Cores of PostgreSQL', 'Payments/s, busy hour', 'A day', 'Cores of gateways', 'Stays, a year'],
    ...[...new Set(choices)].map((cores) => {
      const paymentsPerSecond = carriedBy(a, cores);
      const carried = { ...a, paymentsPerSecond };
      const perDay = meanOf(carried) * 86_400;
      return [
        told(cores),
        `**${told(paymentsPerSecond)}**`,
        told(perDay),
        told(coresOf(carried).gateways),
        bytesTold(perDay * 365 * m.stays.value),
      ];
    }),
  ]);
}

/** Nodes of Citus on the largest machine each, compared with one PostgreSQL on it. */
const citusTable = (a: Assumed) =>
  tableOf([
    [`Nodes of ${told(a.coresOfLargest)} cores`, 'Payments/s, busy hour', '÷ one plain PostgreSQL'],
    ...[1, 2, 4, 8, 16].map((nodes) => [
      told(nodes),
      told(nodes * m.citusLives.value * carriedBy(a, a.coresOfLargest)),
      told(nodes * m.citusLives.value),
    ]),
  ]);

function machinesTable(a: Assumed): string {
  const { gateways, machines, database } = coresOf(a);
  const micros = microsOf(a);
  const of = serving(a);
  const httpBytes = 472 + 872 + a.getsPerPayment * (164 + 893);
  const webhooks = a.paymentsPerSecond * m.deliveries.value;
  return tableOf([
    ['In the busy hour', ''],
    ['payments', `${told(a.paymentsPerSecond)}/s; ${told(meanOf(a))}/s all year`],
    [
      'gateway, a payment',
      `${told(micros.gateway)} µs: a life, ${told(m.deliveries.value - 1)} more deliveries, ${told(a.getsPerPayment)} get`,
    ],
    [
      'cores of gateways',
      `${told(gateways)}, a process for each: ${machines} ${machines === 1 ? 'machine' : 'machines'} of ${a.coresPerMachine}`,
    ],
    ['PostgreSQL, a payment', `${told(micros.database)} µs`],
    ['cores of PostgreSQL', `${told(database)}; as many for its standby`],
    ['connections', told(of.connections)],
    ['payments in a batch; commits', `${of.batch.toFixed(2)}; ${told(of.commits)}/s`],
    ['turn of a busy merchant', `${told(of.turnMs)} ms`],
    [
      'ids of transactions: 200 million; 2³¹',
      `${hoursTold(of.freezeHours)}; ${told(of.wraparoundDays)} days`,
    ],
    ['WAL of an empty database', `${bytesTold(databaseAfter(a, 0).walPerSecond)}/s`],
    ['WAL after a year, with page images', `${bytesTold(databaseAfter(a, 365).walPerSecond)}/s`],
    [
      'webhooks of one endpoint for each merchant',
      `${told(webhooks)}/s, ${bytesTold(webhooks * a.webhookBytes)}/s`,
    ],
    [
      'HTTP of merchants, with headers, without TLS',
      `${bytesTold(a.paymentsPerSecond * httpBytes)}/s`,
    ],
  ]);
}

function growthTable(a: Assumed): string {
  const days = [knownDays(a), 30, 365];
  const all = days.map((day) => databaseAfter(a, day));
  const row = (name: string, tell: (one: (typeof all)[number]) => string) => [
    name,
    ...all.map(tell),
  ];
  return tableOf([
    ['The database after', ...days.map((day) => (day < 10 ? `${told(day)} days` : `${day} days`))],
    row('payments', ({ payments }) => told(payments)),
    row('tables and indexes', ({ tables }) => bytesTold(tables)),
    row('WAL of a day, for the archive', ({ walPerDay }) => bytesTold(walPerDay)),
    row('`zimbo restore`, on a quiet machine', ({ restoreHours }) => hoursTold(restoreHours)),
    row('postings added up by `zimbo ledger check`', ({ checkHours }) => hoursTold(checkHours)),
  ]);
}

function moneyTable(a: Assumed): string {
  const days = [30, 365];
  const all = days.map((day) => ({ q: quantities(a, day), cost: monthlyCost(a, day) }));
  const row = (name: string, tell: (one: (typeof all)[number]) => string) => [
    name,
    ...all.map(tell),
  ];
  return tableOf([
    ['A month, after', ...days.map((day) => `${day} days`)],
    row(
      'cores: gateways + PostgreSQL with standbys',
      ({ q }) => `${told(q.gatewayCores)} + ${told(q.databaseCores)}`,
    ),
    row('GB of memory', ({ q }) => `${told(q.gatewayMemory)} + ${told(q.databaseMemory)}`),
    row('disk, with standbys and half as much room again', ({ q }) => bytesTold(q.disk * 1e9)),
    row('archive: a base backup, and the WAL', ({ q }) => bytesTold(q.archive * 1e9)),
    row(
      '**sum**: cores × c + memory × m + disk × d + archive × a',
      ({ cost }) => `**${told(cost.total)}**`,
    ),
    row('of which cores; memory; disk; archive', ({ cost }) =>
      [cost.cores, cost.memory, cost.disk, cost.archive].map(told).join('; '),
    ),
    row('for a million payments', ({ cost }) =>
      told(cost.total / ((meanOf(a) * 86_400 * 365) / 12 / 1e6)),
    ),
  ]);
}

const limitsTable = (a: Assumed) =>
  tableOf([
    ['', 'Ends at', 'Because', 'Then'],
    ...limitsOf(a).map(({ name, endsAt, why, remedy }) => [
      name,
      `**${told(endsAt)}/s**`,
      why,
      remedy,
    ]),
  ]);
