/** What nobody measured: the reader's own figures. `npm run scale -- --cells 20` computes with another one. */
export interface Assumed {
  paymentsPerSecond: number;
  cells: number;
  peakToMean: number;
  busiestCell: number;
  getsPerPayment: number;
  busyShare: number;
  coresPerMachine: number;
  poolPerProcess: number;
  connectionsOfServer: number;
  retentionDays: number;
  checkpointSeconds: number;
  memoryPerDatabase: number;
  walArchiveDays: number;
  operatorMs: number;
  callsPerPayment: number;
  webhookBytes: number;
  largestMerchant: number;
  priceOfCore: number;
  priceOfMemory: number;
  priceOfDisk: number;
  priceOfArchive: number;
}

export const assumed: Assumed = {
  paymentsPerSecond: 100_000,
  cells: 50,
  peakToMean: 3,
  busiestCell: 1.3,
  getsPerPayment: 1,
  busyShare: 0.6,
  coresPerMachine: 16,
  poolPerProcess: 4,
  connectionsOfServer: 500,
  retentionDays: 30,
  checkpointSeconds: 900,
  memoryPerDatabase: 128,
  walArchiveDays: 7,
  operatorMs: 50,
  callsPerPayment: 3,
  webhookBytes: 1_500,
  largestMerchant: 0.06,
  priceOfCore: 10,
  priceOfMemory: 1,
  priceOfDisk: 0.1,
  priceOfArchive: 0.02,
};

/** What each stands for, in the order of the page; the name is that of its option. */
export const meaningOf: Record<keyof Assumed, string> = {
  paymentsPerSecond: 'payments a second in the busy hour',
  cells: 'cells',
  peakToMean: 'busy hour ÷ mean of the year',
  busiestCell:
    'busiest cell ÷ mean cell: half of the simulated days; on one in twenty it is 1.6, which idle cores bear',
  getsPerPayment: 'gets that a merchant asks for, for each payment',
  busyShare: 'share of a core that may be busy in the busy hour',
  coresPerMachine: 'cores of a gateway machine',
  poolPerProcess: 'connections that a process has for each cell it serves',
  connectionsOfServer: 'connections that PostgreSQL takes: `max_connections`',
  retentionDays: 'days after which events and deliveries go',
  checkpointSeconds: 'seconds between checkpoints',
  memoryPerDatabase: 'GB of memory of a cell’s PostgreSQL, and of its standby',
  walArchiveDays: 'days for which the archive keeps WAL',
  operatorMs: 'ms until an operator answers a request',
  callsPerPayment:
    'requests to the operator for each payment: the debit, and two queries after its callback',
  webhookBytes: 'bytes of a webhook and its answer',
  largestMerchant: 'share of all payments that the largest merchant has, by Zipf’s law',
  priceOfCore: 'price of a core for a month: c',
  priceOfMemory: 'of a GB of memory: m',
  priceOfDisk: 'of a GB of disk that the database writes to: d',
  priceOfArchive: 'of a GB of archive: a',
};
