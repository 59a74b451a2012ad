import type { Assumed } from './assumed.ts';
import { measured as m } from './measured.ts';

const secondsOfDay = 86_400;
const pageBytes = 8_192;

/** Payments a second of a cell: in the busy hour of a mean cell and of the busiest one, and all year. */
export function ratesOf({ paymentsPerSecond, cells, peakToMean, busiestCell }: Assumed) {
  const perCell = paymentsPerSecond / cells;
  const meanAll = paymentsPerSecond / peakToMean;
  return { perCell, busiest: perCell * busiestCell, meanAll, meanPerCell: meanAll / cells };
}

/** Cores, with room: those of all gateways, and of one cell's PostgreSQL in the busiest cell. */
export function coresOf(a: Assumed) {
  const furtherDeliveries = m.deliveries.value - 1;
  const gatewayMicros =
    m.gatewayOfLife.value +
    furtherDeliveries * m.gatewayOfDelivery.value +
    a.getsPerPayment * m.gatewayOfGet.value;
  const databaseMicros =
    m.databaseOfLife.value +
    furtherDeliveries * m.databaseOfDelivery.value +
    a.getsPerPayment * m.databaseOfGet.value;
  const gateways = Math.ceil((a.paymentsPerSecond * gatewayMicros) / 1e6 / a.busyShare);
  return {
    gatewayMicros,
    databaseMicros,
    gateways,
    machines: Math.ceil(gateways / a.coresPerMachine),
    database: Math.ceil((ratesOf(a).busiest * databaseMicros) / 1e6 / a.busyShare),
  };
}

/**
 * How many share a batch when they come by chance: while one is under way, the next fills; if nobody came, the next
 * one is alone. Batches of three or more are held apart, and fill for longer.
 */
export function batchSize(perSecond: number): number {
  const fill = (ms: number) => (perSecond * ms) / 1e3 + Math.exp(-(perSecond * ms) / 1e3);
  const size = fill(m.write.value);
  return size < 3 ? size : fill(m.spacing.value);
}

/** Of processes that only find the cell of a request and hand it over. */
export const frontCores = (a: Assumed): number =>
  Math.ceil(
    (a.paymentsPerSecond * (1 + a.getsPerPayment) * m.idleHandler.value) / 1e6 / a.busyShare,
  );

/** What it means for a cell, and for all, that each process serves so many cells. */
export function serving(a: Assumed, cellsPerProcess: number) {
  const processes = coresOf(a).gateways;
  const processesPerCell = (processes * cellsPerProcess) / a.cells;
  const { perCell } = ratesOf(a);
  const perSecond = perCell / processesPerCell;
  const batch = batchSize(perSecond);
  const statements = m.statementsAlone.value / batch;
  const commits = perCell * statements;
  // Of the mean of the year, whose batches are smaller than those of the busy hour.
  const meanCommits =
    (perCell / a.peakToMean) * (m.statementsAlone.value / batchSize(perSecond / a.peakToMean));
  return {
    processesPerCell,
    perSecond,
    batch,
    statements,
    commits,
    /** Batches that write to one row, as all debits of one merchant do, go one after the other. */
    turnMs: processesPerCell * m.write.value,
    connectionsPerCell: Math.ceil(processesPerCell) * a.poolPerProcess,
    idleQueries: processes * cellsPerProcess * m.idleQueries.value,
    freezeHours: 200e6 / meanCommits / 3_600,
    wraparoundDays: 2 ** 31 / meanCommits / secondsOfDay,
  };
}

/**
 * Bytes of WAL a second. The first change of a page after a checkpoint writes the whole page, and each payment
 * changes four index pages that may be anywhere: the more payments there are, the fewer of them share a page.
 */
export function walOf(a: Assumed, perSecond: number, payments: number): number {
  const pages = Math.max(1, (payments * m.randomIndexes.value) / pageBytes);
  const touched = 4 * perSecond * a.checkpointSeconds;
  const images = (pages * -Math.expm1(-touched / pages) * pageBytes) / a.checkpointSeconds;
  return perSecond * m.walOfLife.value + images;
}

/** Of a mean cell that has been there for so many days. */
export function cellAfter(a: Assumed, days: number) {
  const { meanPerCell, perCell } = ratesOf(a);
  const payments = meanPerCell * secondsOfDay * days;
  const recent = meanPerCell * secondsOfDay * Math.min(days, a.retentionDays);
  const wal = walOf(a, meanPerCell, payments);
  return {
    payments,
    tables: payments * m.stays.value + recent * m.goes.value,
    walPerSecond: walOf(a, perCell, payments),
    walPerDay: wal * secondsOfDay,
    restoreHours: payments / m.restored.value / 3_600,
    checkHours: (payments * 2) / m.postingsOfCheck.value / 3_600,
  };
}

/** What is rented, after so many days. Disks have half as much again, for rows that died and what is rebuilt. */
export function quantities(a: Assumed, days: number) {
  const { gateways, machines, database } = coresOf(a);
  const cell = cellAfter(a, days);
  const gigabyte = 1e9;
  return {
    gatewayCores: machines * a.coresPerMachine,
    databaseCores: 2 * a.cells * database,
    gatewayMemory: Math.ceil((gateways * m.memoryOfProcess.value) / 1e3),
    databaseMemory: 2 * a.cells * a.memoryPerDatabase,
    disk: (2 * a.cells * cell.tables * 1.5) / gigabyte,
    archive: (a.cells * (cell.tables + cell.walPerDay * a.walArchiveDays)) / gigabyte,
  };
}

/** For a month, in the reader's money. */
export function monthlyCost(a: Assumed, days: number) {
  const q = quantities(a, days);
  const cores = (q.gatewayCores + q.databaseCores) * a.priceOfCore;
  const memory = (q.gatewayMemory + q.databaseMemory) * a.priceOfMemory;
  const disk = q.disk * a.priceOfDisk;
  const archive = q.archive * a.priceOfArchive;
  return { cores, memory, disk, archive, total: cores + memory + disk + archive };
}
