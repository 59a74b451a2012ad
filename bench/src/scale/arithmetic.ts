import type { Assumed } from './assumed.ts';
import { measured as m } from './measured.ts';

const secondsOfDay = 86_400;
const pageBytes = 8_192;

/** Payments per second on average over the year. */
export const meanOf = ({ paymentsPerSecond, peakToMean }: Assumed): number =>
  paymentsPerSecond / peakToMean;

/** CPU microseconds of one payment: a life, its further deliveries, and the gets. */
export function microsOf(a: Assumed) {
  const furtherDeliveries = m.deliveries.value - 1;
  return {
    gateway:
      m.gatewayOfLife.value +
      furtherDeliveries * m.gatewayOfDelivery.value +
      a.getsPerPayment * m.gatewayOfGet.value,
    database:
      m.databaseOfLife.value +
      furtherDeliveries * m.databaseOfDelivery.value +
      a.getsPerPayment * m.databaseOfGet.value,
  };
}

/** Payments per second that this many cores of PostgreSQL carry, in proportion, with headroom. */
export const carriedBy = (a: Assumed, cores: number): number =>
  (cores * a.busyShare * 1e6) / microsOf(a).database;

/** Cores with headroom: of all gateways, and of PostgreSQL. */
export function coresOf(a: Assumed) {
  const { gateway, database } = microsOf(a);
  const needed = (micros: number) => Math.ceil((a.paymentsPerSecond * micros) / 1e6 / a.busyShare);
  const gateways = needed(gateway);
  return {
    gateways,
    machines: Math.ceil(gateways / a.coresPerMachine),
    database: needed(database),
  };
}

/**
 * The size of a batch at random arrivals: while one is in flight, the next fills; if nothing
 * arrived, the next has a single item. Batches of three or more are delayed, so they fill for
 * longer.
 */
export function batchSize(perSecond: number): number {
  const fill = (ms: number) => (perSecond * ms) / 1e3 + Math.exp(-(perSecond * ms) / 1e3);
  const size = fill(m.write.value);
  return size < 3 ? size : fill(m.spacing.value);
}

/** The demands of this many processes, one for each core of the gateways, on the database. */
export function serving(a: Assumed) {
  const processes = coresOf(a).gateways;
  const perSecond = a.paymentsPerSecond / processes;
  const batch = batchSize(perSecond);
  const statements = m.statementsAlone.value / batch;
  // For the average over the year, whose batches are smaller than in the busy hour.
  const meanCommits = meanOf(a) * (m.statementsAlone.value / batchSize(perSecond / a.peakToMean));
  return {
    processes,
    perSecond,
    batch,
    statements,
    commits: a.paymentsPerSecond * statements,
    /** Batches that write to one row, like all debits of one merchant, run in sequence. */
    turnMs: processes * m.write.value,
    connections: processes * a.poolPerProcess,
    freezeHours: 200e6 / meanCommits / 3_600,
    wraparoundDays: 2 ** 31 / meanCommits / secondsOfDay,
  };
}

/**
 * Bytes of WAL per second. The first change of a page after a checkpoint writes the whole page, and
 * each payment changes four random index pages: the more payments exist, the fewer share a page.
 */
export function walOf(a: Assumed, perSecond: number, payments: number): number {
  const pages = Math.max(1, (payments * m.randomIndexes.value) / pageBytes);
  const touched = 4 * perSecond * a.checkpointSeconds;
  const images = (pages * -Math.expm1(-touched / pages) * pageBytes) / a.checkpointSeconds;
  return perSecond * m.walOfLife.value + images;
}

/** The size of a database after this many days. */
export function databaseAfter(a: Assumed, days: number) {
  const mean = meanOf(a);
  const payments = mean * secondsOfDay * days;
  const recent = mean * secondsOfDay * Math.min(days, a.retentionDays);
  return {
    payments,
    tables: payments * m.stays.value + recent * m.goes.value,
    walPerSecond: walOf(a, a.paymentsPerSecond, payments),
    walPerDay: walOf(a, mean, payments) * secondsOfDay,
    restoreHours: payments / m.restored.value / 3_600,
    checkHours: (payments * 2) / m.postingsOfCheck.value / 3_600,
  };
}

/** After how many days the database exceeds the number of payments that the settings were designed for. */
export const knownDays = (a: Assumed): number => m.knownPayments.value / (meanOf(a) * secondsOfDay);

/**
 * The rented resources after this many days: gateways, PostgreSQL and its standby. Disks have half
 * as much again, for dead rows and index rebuilds.
 */
export function quantities(a: Assumed, days: number) {
  const { gateways, machines, database } = coresOf(a);
  const after = databaseAfter(a, days);
  const gigabyte = 1e9;
  return {
    gatewayCores: machines * a.coresPerMachine,
    databaseCores: 2 * database,
    gatewayMemory: Math.ceil((gateways * m.memoryOfProcess.value) / 1e3),
    databaseMemory: 2 * a.memoryOfDatabase,
    disk: (2 * after.tables * 1.5) / gigabyte,
    archive: (after.tables + after.walPerDay * a.walArchiveDays) / gigabyte,
  };
}

/** Per month, in the reader's currency. */
export function monthlyCost(a: Assumed, days: number) {
  const q = quantities(a, days);
  const cores = (q.gatewayCores + q.databaseCores) * a.priceOfCore;
  const memory = (q.gatewayMemory + q.databaseMemory) * a.priceOfMemory;
  const disk = q.disk * a.priceOfDisk;
  const archive = q.archive * a.priceOfArchive;
  return { cores, memory, disk, archive, total: cores + memory + disk + archive };
}
