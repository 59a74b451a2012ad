/**
 * Assumptions that nobody measured: readers have their own. `npm run scale -- --peak-to-mean 5`
 * computes with another value.
 */
export interface Assumed {
  paymentsPerSecond: number;
  peakToMean: number;
  getsPerPayment: number;
  busyShare: number;
  coresPerMachine: number;
  coresOfLargest: number;
  poolPerProcess: number;
  connectionsOfServer: number;
  retentionDays: number;
  checkpointSeconds: number;
  memoryOfDatabase: number;
  walArchiveDays: number;
  operatorMs: number;
  callsPerPayment: number;
  webhookBytes: number;
  priceOfCore: number;
  priceOfMemory: number;
  priceOfDisk: number;
  priceOfArchive: number;
}

export const assumed: Assumed = {
  paymentsPerSecond: 3_000,
  peakToMean: 3,
  getsPerPayment: 1,
  busyShare: 0.6,
  coresPerMachine: 16,
  coresOfLargest: 64,
  poolPerProcess: 4,
  connectionsOfServer: 500,
  retentionDays: 30,
  checkpointSeconds: 900,
  memoryOfDatabase: 128,
  walArchiveDays: 7,
  operatorMs: 50,
  callsPerPayment: 3,
  webhookBytes: 1_500,
  priceOfCore: 10,
  priceOfMemory: 1,
  priceOfDisk: 0.1,
  priceOfArchive: 0.02,
};

/** The meaning of each assumption, in the order of the page; the name is that of its option. */
export const meaningOf: Record<keyof Assumed, string> = {
  paymentsPerSecond: 'payments a second in the busy hour',
  peakToMean: 'busy hour ÷ mean of the year',
  getsPerPayment: 'gets that a merchant asks for, for each payment',
  busyShare: 'share of a core that may be busy in the busy hour',
  coresPerMachine: 'cores of a gateway machine',
  coresOfLargest: 'cores of the largest machine for PostgreSQL',
  poolPerProcess: 'connections of a process to the database',
  connectionsOfServer: 'connections that PostgreSQL takes: `max_connections`',
  retentionDays: 'days after which events and deliveries go',
  checkpointSeconds: 'seconds between checkpoints',
  memoryOfDatabase: 'GB of memory of PostgreSQL, and of its standby',
  walArchiveDays: 'days for which the archive keeps WAL',
  operatorMs: 'ms until an operator answers a request',
  callsPerPayment:
    'requests to the operator for each payment: the debit, and two queries after its callback',
  webhookBytes: 'bytes of a webhook and its answer',
  priceOfCore: 'price of a core for a month: c',
  priceOfMemory: 'of a GB of memory: m',
  priceOfDisk: 'of a GB of disk that the database writes to: d',
  priceOfArchive: 'of a GB of archive: a',
};
