import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Cell, csvOf } from '../../platform/formats/spreadsheet.ts';
import { xlsxOf } from '../../platform/formats/xlsx.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import type { TimeZones } from '../../tenants/merchants/time-zone.ts';
import { earnedMoney } from './export-money.ts';
import {
  type ExportLanguage,
  exportColumns,
  exportWords,
  rowMaker,
  type ScreenWords,
} from './export-rows.ts';
import {
  countPayments,
  type ExportState,
  insertExport,
  mostRunning,
  nextPayments,
  noteExport,
  type PaymentExport,
} from './export-store.ts';
import type { PaymentFilter } from './list.ts';

export interface ExportOrder {
  tenantId: string;
  filter: PaymentFilter;
  format: PaymentExport['format'];
  language: ExportLanguage;
  /** The time zones of the instants. */
  timeZones: TimeZones;
  /** Otherwise phones are masked. */
  showPhones: boolean;
  /** The words of the reader's screen. */
  screen: ScreenWords;
  author: Author;
}

/** An export that holds its slot and is in the audit log. The caller that began it must write it. */
export interface BegunExport {
  id: string;
  fileName: string;
  contentType: string;
  /** Writes the file and ends the writable; returns how the export ended. CANCELLED if the reader disconnects. */
  writeTo(writable: Writable): Promise<Exclude<ExportState, 'RUNNING'>>;
}

/**
 * Exports payments as a file, in the order of their creation. Each page is read separately: a payment that changes
 * meanwhile appears as it was when its page was read, and a payment created meanwhile may appear. No payment that
 * existed at the beginning is missing, and none appears twice.
 * @throws LIMIT_REACHED the tenant has as many running exports as it may
 */
export type ExportPayments = (order: ExportOrder) => Promise<BegunExport>;

export interface ExportDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Rows in memory at once; fewer in tests. */
  pageRows?: number;
  /** How long a reader may stall; less in tests. */
  stallMs?: number;
}

const noteIntervalMs = 1_000;
/** A slower reader would block other exports of the tenant. */
const longestMs = 1_800_000;
/** How long reading one page may take. Less than the time after which another export may take the slot. */
const usualStallMs = 60_000;
const types = {
  CSV: 'text/csv; charset=utf-8',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function makeExportPayments(dependencies: ExportDependencies): ExportPayments {
  return async (order) => {
    const { database, clock, ids } = dependencies;
    const { tenantId, filter, format, language, author } = order;
    const nowMs = clock.nowMs();
    const id = ids.next(nowMs);
    const isBegun = await database.transaction(async (transaction) => {
      const row = { tenantId, id, actor: author.actor, format };
      if (!(await insertExport(transaction, row, nowMs))) return false;
      await writeAuditRecord(
        transaction,
        { ...dependencies, ...author },
        {
          tenantId,
          action: 'payments.exported',
          subject: formatId('ex', id),
          // Only the names of the filters: an audit record never changes, and a customer may ask for erasure.
          detail: { format, filteredBy: filledOf(filter), phones: order.showPhones },
        },
      );
      return true;
    });
    if (!isBegun) {
      throw new DomainError(
        'LIMIT_REACHED',
        `${mostRunning} exports are under way already. Wait until one of them has ended.`,
      );
    }
    const day = new Date(nowMs).toISOString().slice(0, 10);
    return {
      id,
      fileName: `${exportWords[language].file}-${day}.${format.toLowerCase()}`,
      contentType: types[format],
      writeTo: (writable) => write(dependencies, order, id, writable),
    };
  };
}

const filledOf = (filter: PaymentFilter) =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);

async function write(
  dependencies: ExportDependencies,
  order: ExportOrder,
  id: string,
  writable: Writable,
): Promise<Exclude<ExportState, 'RUNNING'>> {
  const { database, clock, log, stallMs = usualStallMs } = dependencies;
  const stalled = new AbortController();
  const watch = setTimeout(() => stalled.abort(), stallMs);
  const onPage = () => watch.refresh();
  const progress: Progress = { rowsWritten: 0, rowsTotal: undefined, fault: undefined, onPage };
  const { tenantId } = order;
  const note = (state: ExportState) =>
    noteExport(database, { tenantId, id }, { ...progress, state, atMs: clock.nowMs() });
  // Runs beside the first rows, which do not wait for the count. If the count takes too long, the total stays
  // unknown.
  void countPayments(database, tenantId, order.filter)
    .then((count) => {
      progress.rowsTotal = count;
    })
    .catch(() => {});
  // One page at a time: the next is not read before the reader has taken this one.
  const source = Readable.from(bytesOf(order, pagesOf(dependencies, order, progress, note)), {
    objectMode: false,
    highWaterMark: 1,
  });
  const signal = AbortSignal.any([AbortSignal.timeout(longestMs), stalled.signal]);
  let state: Exclude<ExportState, 'RUNNING'> = 'SUCCEEDED';
  try {
    await pipeline(source, writable, { signal });
    progress.rowsTotal = BigInt(progress.rowsWritten);
  } catch (error) {
    // Otherwise the reader has disconnected.
    const { fault } = progress;
    state = fault !== undefined || signal.aborted ? 'FAILED' : 'CANCELLED';
    if (state === 'FAILED') log.warn({ err: fault ?? error, exportId: id }, 'an export failed');
  } finally {
    clearTimeout(watch);
  }
  await note(state).catch((error: unknown) => log.warn({ err: error }, 'an export is not noted'));
  return state;
}

function bytesOf(
  { format, language }: ExportOrder,
  pages: AsyncIterable<Cell[][]>,
): AsyncGenerator<Buffer> {
  const columns = exportColumns(language);
  const { file, csv } = exportWords[language];
  const sheetName = file[0]!.toUpperCase() + file.slice(1);
  return format === 'CSV' ? csvOf(csv, columns, pages) : xlsxOf(sheetName, columns, pages);
}

interface Progress {
  rowsWritten: number;
  rowsTotal: bigint | undefined;
  /** Why it could not go on, unless the reader disconnected. */
  fault: unknown;
  /** The reader has taken all rows so far. */
  onPage: () => void;
}

async function* pagesOf(
  { database, clock, pageRows = 1_000 }: ExportDependencies,
  order: ExportOrder,
  progress: Progress,
  note: (state: ExportState) => Promise<boolean>,
): AsyncGenerator<Cell[][]> {
  const { tenantId, filter } = order;
  const failed = (error: unknown): never => {
    progress.fault = error;
    throw error;
  };
  const rowOf = rowMaker(order);
  let notedMs = clock.nowMs();
  let afterId: string | undefined;
  for (;;) {
    progress.onPage();
    const page = { limit: pageRows, afterId };
    const payments = await nextPayments(database, tenantId, filter, page).catch(failed);
    const money = await earnedMoney(database, tenantId, payments).catch(failed);
    if (payments.length > 0) yield payments.map((each) => rowOf(each, money.get(each.id)));
    progress.rowsWritten += payments.length;
    if (payments.length < pageRows) return;
    afterId = payments.at(-1)!.id;
    if (clock.nowMs() - notedMs < noteIntervalMs) continue;
    notedMs = clock.nowMs();
    if (!(await note('RUNNING').catch(failed))) failed(new Error('another export has its place'));
  }
}
