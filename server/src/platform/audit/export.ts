import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { limitReached } from '../errors/errors.ts';
import { type CsvDialect, csvOf } from '../formats/spreadsheet.ts';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { formatId, type Ids } from '../values/ids.ts';
import { type Author, writeAuditRecord } from './record.ts';
import { recordView } from './record-view.ts';
import { recordPages } from './search.ts';
import type { ListedRecord, RecordFilter } from './store.ts';

export const auditFormats = ['CSV', 'JSONL'] as const;
export type AuditFormat = (typeof auditFormats)[number];

export interface AuditExportOrder {
  filter: RecordFilter;
  format: AuditFormat;
  /** The CSV dialect of spreadsheets in the reader's country. */
  csv: CsvDialect;
  author: Author;
}

/** An export recorded in the audit log. The caller who began it must write it. */
export interface BegunAuditExport {
  fileName: string;
  contentType: string;
  /** Writes the file and ends the writable; it never throws. */
  writeTo(writable: Writable): Promise<void>;
}

/**
 * Exports audit records as a file, newest first. Pages are read at the reader's speed, and each statement is short;
 * records written meanwhile are not included. @throws LIMIT_REACHED this process has too many exports in progress
 */
export type ExportAudit = (order: AuditExportOrder) => Promise<BegunAuditExport>;

export interface AuditExportDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** The time limits for an idle reader and for the whole export; shorter in tests. */
  limits?: { stallMs: number; longestMs: number };
}

const mostRunning = 2;
const usualLimits = { stallMs: 60_000, longestMs: 1_800_000 };
const types: Record<AuditFormat, string> = {
  CSV: 'text/csv; charset=utf-8',
  JSONL: 'application/x-ndjson; charset=utf-8',
};

export const tooManyExports = () =>
  limitReached(
    `${mostRunning} exports of the audit log are in progress already. Wait until one of them has ended.`,
  );

export function makeExportAudit(dependencies: AuditExportDependencies): ExportAudit {
  let running = 0;
  return async (order) => {
    if (running >= mostRunning) throw tooManyExports();
    running += 1;
    const { filter, format, author } = order;
    const detail = { format, filter: { ...filter } };
    const record = { tenantId: null, action: 'audit.exported', subject: 'all', detail } as const;
    try {
      // Written first: nothing is exported without an audit record.
      await writeAuditRecord(dependencies.database, { ...dependencies, ...author }, record);
    } catch (error) {
      running -= 1;
      throw error;
    }
    const day = new Date(dependencies.clock.nowMs()).toISOString().slice(0, 10);
    return {
      fileName: `audit-${day}.${format.toLowerCase()}`,
      contentType: types[format],
      async writeTo(writable) {
        await write(dependencies, order, writable).finally(() => {
          running -= 1;
        });
      },
    };
  };
}

async function write(
  { database, log, limits = usualLimits }: AuditExportDependencies,
  order: AuditExportOrder,
  writable: Writable,
): Promise<void> {
  const stalled = new AbortController();
  const watch = setTimeout(() => stalled.abort(), limits.stallMs);
  const pages = watched(recordPages(database, order.filter), () => watch.refresh());
  const bytes = order.format === 'CSV' ? csvBytes(order.csv, pages) : jsonBytes(pages);
  // One page at a time, without reading ahead of the reader.
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: 1 });
  const signal = AbortSignal.any([AbortSignal.timeout(limits.longestMs), stalled.signal]);
  try {
    await pipeline(source, writable, { signal });
  } catch (error) {
    // Usually the reader has gone.
    log.info({ err: error }, 'an export of the audit log did not end');
  } finally {
    clearTimeout(watch);
  }
}

async function* watched(pages: AsyncIterable<ListedRecord[]>, onPage: () => void) {
  for await (const page of pages) {
    onPage();
    yield page;
  }
}

const csvBytes = (dialect: CsvDialect, pages: AsyncIterable<ListedRecord[]>) =>
  csvOf(
    dialect,
    exportColumns.map((title) => ({ title })),
    fieldsOf(pages),
  );

async function* fieldsOf(pages: AsyncIterable<ListedRecord[]>) {
  for await (const page of pages) yield page.map(exportFields);
}

async function* jsonBytes(pages: AsyncIterable<ListedRecord[]>): AsyncGenerator<Buffer> {
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield Buffer.from(page.map((record) => `${JSON.stringify(recordView(record))}\n`).join(''));
  }
}

/** The columns of CSV, which programs read too. */
export const exportColumns: readonly string[] = [
  'id',
  'at',
  'actor',
  'origin',
  'action',
  'subject',
  'merchant',
  'mode',
  'before',
  'after',
  'detail',
];

/** The values of a record in these columns. */
export function exportFields(record: ListedRecord): string[] {
  const { id, atMs, actor, origin, action, subject, merchantId, mode } = record;
  return [
    formatId('au', id),
    new Date(atMs).toISOString(),
    actor,
    origin ?? '',
    action,
    subject,
    merchantId === null ? '' : formatId('me', merchantId),
    mode ?? '',
    jsonOf(record.before),
    jsonOf(record.after),
    jsonOf(record.detail),
  ];
}

const jsonOf = (value: object | null) => (value === null ? '' : JSON.stringify(value));
