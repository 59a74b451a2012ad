import {
  cellAfter,
  coresOf,
  frontCores,
  monthlyCost,
  quantities,
  ratesOf,
  serving,
} from './arithmetic.ts';
import { type Assumed, meaningOf } from './assumed.ts';
import { bytesTold, hoursTold, tableOf, told } from './format.ts';
import { limitsOf } from './limits.ts';
import { type Measured, measured as m } from './measured.ts';

/** The tables of docs/scale.md that are computed at once, by the names of their places there. */
export const arithmeticTables = (a: Assumed): Record<string, string> => ({
  short: shortList(a),
  measured: measuredTable(),
  assumed: assumedTable(a),
  machines: machinesTable(a),
  serving: servingTable(a),
  growth: growthTable(a),
  money: moneyTable(a),
  limits: limitsTable(a),
});

/** What the page begins with. */
function shortList(a: Assumed): string {
  const { meanAll, meanPerCell } = ratesOf(a);
  const year = cellAfter(a, 365);
  const { gateways, database } = coresOf(a);
  const { disk, total } = monthlyCost(a, 365);
  const everywhere = serving(a, a.cells);
  const byCell = serving(a, 1);
  return [
    `- **What stays breaks first, before any rate.** Payments and postings are never removed. At ${told(meanAll)} payments a second on average, a cell has the hundred million that [growth](growth.md) was thought through for after ${told(m.knownPayments.value / meanPerCell / 86_400)} days. After a year it has ${bytesTold(year.tables)}, and all ${a.cells} have ${bytesTold(year.tables * a.cells)}: ${Math.round((disk / total) * 100)} % of what everything costs is disk then. Closed payments need an archive, which is not built.`,
    `- **Processors are the smaller part**: ${told(gateways)} cores of gateways and ${told(2 * a.cells * database)} of PostgreSQL with its standbys.`,
    `- **A process should serve few cells.** If each serves all ${a.cells}, there are ${told(everywhere.connectionsPerCell * a.cells)} connections instead of ${told(byCell.connectionsPerCell * a.cells)}, and hardly two payments share a batch.`,
  ].join('\n');
}

const measuredTable = () =>
  tableOf([
    ['Measured', '', 'Where'],
    ...Object.values<Measured>(m).map(({ what, value, unit, page }) => [
      what,
      measuredTold(value, unit),
      page === 'docs/scale.md' ? '[below](#the-directory)' : linkTo(page),
    ]),
  ]);

/** As it stands on its page, without rounding. */
function measuredTold(value: number, unit: string): string {
  const number = value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
  return unit === '' || unit.startsWith('/') ? number + unit : `${number} ${unit}`;
}

function linkTo(page: string): string {
  const path = page.replace('docs/', '');
  return `[${path.replace(/^.*\//, '').replace('.md', '')}](${path})`;
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

function machinesTable(a: Assumed): string {
  const { gatewayMicros, databaseMicros, gateways, machines, database } = coresOf(a);
  const { perCell, busiest, meanAll } = ratesOf(a);
  const young = cellAfter(a, 0);
  const old = cellAfter(a, 365);
  const oneForAll = serving(a, a.cells).connectionsPerCell;
  const httpBytes = 472 + 872 + a.getsPerPayment * (164 + 893);
  const webhooks = a.paymentsPerSecond * m.deliveries.value;
  return tableOf([
    ['In the busy hour', 'Of a mean cell', 'Of all'],
    [
      'payments',
      `${told(perCell)}/s; the busiest ${told(busiest)}/s`,
      `${told(a.paymentsPerSecond)}/s; ${told(meanAll)}/s all year`,
    ],
    [
      'gateway, a payment',
      '',
      `${told(gatewayMicros)} µs: a life, ${told(m.deliveries.value - 1)} more deliveries, ${told(a.getsPerPayment)} get`,
    ],
    [
      'cores of gateways',
      told(gateways / a.cells),
      `${told(gateways)}: ${machines} machines of ${a.coresPerMachine}, a process for each core`,
    ],
    [
      'cores of a front that hands requests over, if processes serve one cell',
      '',
      told(frontCores(a)),
    ],
    ['PostgreSQL, a payment', '', `${told(databaseMicros)} µs`],
    [
      'cores of PostgreSQL',
      `${told(database)}, enough for the busiest; as many for its standby`,
      told(2 * a.cells * database),
    ],
    [
      'connections, each process serving one cell',
      told(serving(a, 1).connectionsPerCell),
      told(serving(a, 1).connectionsPerCell * a.cells),
    ],
    [
      'connections, each serving all: processes × cells × pool',
      told(oneForAll),
      told(oneForAll * a.cells),
    ],
    [
      'WAL of an empty cell',
      `${bytesTold(young.walPerSecond)}/s`,
      `${bytesTold(young.walPerSecond * a.cells)}/s`,
    ],
    [
      'WAL after a year, with page images',
      `${bytesTold(old.walPerSecond)}/s`,
      `${bytesTold(old.walPerSecond * a.cells)}/s`,
    ],
    [
      'webhooks of one endpoint for each merchant',
      `${told(webhooks / a.cells)}/s`,
      `${told(webhooks)}/s, ${bytesTold(webhooks * a.webhookBytes)}/s`,
    ],
    [
      'HTTP of merchants, with headers, without TLS',
      `${bytesTold(perCell * httpBytes)}/s`,
      `${bytesTold(a.paymentsPerSecond * httpBytes)}/s`,
    ],
    ['between gateways and PostgreSQL', 'unknown', 'unknown'],
  ]);
}

function servingTable(a: Assumed): string {
  const choices = [a.cells, 10, 5, 2, 1].filter((cells) => cells <= a.cells);
  return tableOf([
    [
      'Cells of a process',
      'Processes of a cell',
      'Payments in a batch',
      'Commits of a cell',
      'Connections of a cell',
      'Turn of a busy merchant',
      'Idle queries, all cells',
      'Ids of transactions: 200 million; 2³¹',
    ],
    ...[...new Set(choices)].map((cells) => {
      const s = serving(a, cells);
      return [
        told(cells),
        told(s.processesPerCell),
        s.batch.toFixed(2),
        `${told(s.commits)}/s`,
        told(s.connectionsPerCell),
        `${told(s.turnMs)} ms`,
        `${told(s.idleQueries)}/s`,
        `${hoursTold(s.freezeHours)}; ${told(s.wraparoundDays)} days`,
      ];
    }),
  ]);
}

function growthTable(a: Assumed): string {
  const known = m.knownPayments.value / (ratesOf(a).meanPerCell * 86_400);
  const days = [known, 30, 365];
  const cells = days.map((day) => cellAfter(a, day));
  const row = (name: string, tell: (cell: (typeof cells)[number]) => string) => [
    name,
    ...cells.map(tell),
  ];
  return tableOf([
    ['A mean cell after', ...days.map((day) => (day < 10 ? `${told(day)} days` : `${day} days`))],
    row('payments', ({ payments }) => told(payments)),
    row('tables and indexes', ({ tables }) => bytesTold(tables)),
    row('the same of all cells', ({ tables }) => bytesTold(tables * a.cells)),
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
      told(cost.total / ((ratesOf(a).meanAll * 86_400 * 365) / 12 / 1e6)),
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
