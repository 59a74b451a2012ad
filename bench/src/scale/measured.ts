/** A measured figure, with its page and the words there, so that a test detects changes. */
export interface Measured {
  value: number;
  unit: string;
  what: string;
  page: string;
  words: string;
}

const performance = 'docs/performance.md';
const scale = 'docs/scale.md';
const citus = 'docs/decisions/0038-citus-cells.md';

/** All inputs of the page. If a page has several figures, the most expensive. */
export const measured = {
  gatewayOfLife: {
    value: 699,
    unit: 'µs',
    what: 'gateway’s processor time for a whole life, one webhook included',
    page: performance,
    words: 'from 726 and 843 µs to 530 and 699',
  },
  databaseOfLife: {
    value: 1_100,
    unit: 'µs',
    what: 'PostgreSQL’s for the same, in small batches (16 clients)',
    page: 'docs/decisions/0026-roll-ups.md',
    words: 'PostgreSQL 1,058 and 1,100 µs',
  },
  gatewayOfDelivery: {
    value: 139,
    unit: 'µs',
    what: 'gateway’s for a further delivery',
    page: performance,
    words: 'A delivery takes 139 µs of the gateway and 111 µs of PostgreSQL',
  },
  databaseOfDelivery: {
    value: 111,
    unit: 'µs',
    what: 'PostgreSQL’s for the same',
    page: performance,
    words: 'A delivery takes 139 µs of the gateway and 111 µs of PostgreSQL',
  },
  gatewayOfGet: {
    value: 104,
    unit: 'µs',
    what: 'gateway’s for a get',
    page: performance,
    words: 'gets 355 and 159 µs, now 104 and 17',
  },
  databaseOfGet: {
    value: 17,
    unit: 'µs',
    what: 'PostgreSQL’s for the same, 64 clients',
    page: performance,
    words: 'gets 355 and 159 µs, now 104 and 17',
  },
  lives: {
    value: 1_660,
    unit: '/s',
    what: 'whole lives on two cores, which the load generator and PostgreSQL share',
    page: performance,
    words: '1,660 whole lives',
  },
  inserts: {
    value: 8_490,
    unit: '/s',
    what: 'one-row INSERTs, each with its commit, on two cores',
    page: performance,
    words: '8,490 INSERTs',
  },
  statementsAlone: {
    value: 3.7,
    unit: '',
    what: 'statements for a whole life that shares none',
    page: performance,
    words: '3.70 statements',
  },
  walOfLife: {
    value: 5_474,
    unit: 'B',
    what: 'WAL of a whole life, in batches, with hardly any page images',
    page: performance,
    words: '5,474 bytes of WAL',
  },
  write: {
    value: 2.1,
    unit: 'ms',
    what: 'a batch is under way, median',
    page: performance,
    words: 'PostgreSQL wrote half within 2.1 ms',
  },
  spacing: {
    value: 3,
    unit: 'ms',
    what: 'batches of three or more begin so far apart',
    page: 'docs/architecture.md',
    words: 'batches of creations start at least 3 ms apart',
  },
  memoryOfProcess: {
    value: 226,
    unit: 'MB',
    what: 'memory of a process under full load',
    page: performance,
    words: '109 MB; 226 MB',
  },
  stays: {
    value: 1_730,
    unit: 'B',
    what: 'what a payment leaves for ever: tables and indexes',
    page: scale,
    words: '**830; 3,560** | **900; 1,010**',
  },
  goes: {
    value: 4_570,
    unit: 'B',
    what: 'what goes after RETENTION_DAYS',
    page: scale,
    words: '**830; 3,560** | **900; 1,010**',
  },
  events: {
    value: 2.9,
    unit: '',
    what: 'events of a payment',
    page: scale,
    words: '`events`, 2.9 of them',
  },
  deliveries: {
    value: 1.9,
    unit: '',
    what: 'deliveries of a payment to an endpoint that wants everything',
    page: scale,
    words: '`deliveries` to one endpoint, 1.9 of them',
  },
  randomIndexes: {
    value: 410,
    unit: 'B',
    what: 'of a payment in the four indexes whose keys are random',
    page: scale,
    words: '41 GB at 10⁸',
  },
  knownPayments: {
    value: 1e8,
    unit: '',
    what: 'payments of one database that the settings were thought through for',
    page: scale,
    words: 'at a hundred million payments in one database',
  },
  removed: {
    value: 2_520,
    unit: '/s',
    what: 'old events removed beside a full load, on a busy machine without fsync',
    page: scale,
    words: '2,520 and 1,640 while 64 clients created 641 payments a second',
  },
  postingsOfCheck: {
    value: 600_000 / 9,
    unit: '/s',
    what: 'postings that `zimbo ledger check` adds up, on a busy machine',
    page: scale,
    words: '9 s for 600,000 of them',
  },
  restored: {
    value: 1e6 / 112,
    unit: '/s',
    what: 'payments that `zimbo restore` brings back and checks',
    page: 'docs/backup.md',
    words: '112 seconds to restore and check',
  },
  sealed: {
    value: 100,
    unit: '/s',
    what: 'audit records that one process seals: 1,000 every 10 s',
    page: 'docs/decisions/0024-audit-records-are-sealed-in-batches.md',
    words: 'up to 1,000 records',
  },
  callsOfOperator: {
    value: 32,
    unit: '',
    what: 'calls under way to one operator, of a machine',
    page: 'docs/configuration.md',
    words: '| `OPERATOR_…_MAX_CALLS` | `32` |',
  },
  citusCreates: {
    value: 0.51,
    unit: '',
    what: 'creations of a cell on Citus ÷ those of plain PostgreSQL, straight to the node',
    page: citus,
    words: '1,242 (0.51)',
  },
  citusLives: {
    value: 0.31,
    unit: '',
    what: 'whole lives of the same',
    page: citus,
    words: '308 (0.31)',
  },
} as const satisfies Record<string, Measured>;
