import type { Writable } from 'node:stream';
import type { ListedRecord, RecordFilter } from '../audit/store.ts';
import { csvLine } from '../formats/csv.ts';
import { formatId } from '../ids.ts';
import { writeExport, writeText } from './export.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

const columns = [
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
const pageSize = 1_000;

/** Writes the records that match as CSV, newest first: to a file, which is there in whole or not at all, or to stdout. */
export async function exportAudit(
  file: string,
  filterOf: (workspace: Workspace) => Promise<RecordFilter>,
): Promise<void> {
  await writeExport(file, 'record', (output) => write(output, file, filterOf));
}

async function write(
  output: Writable,
  file: string,
  filterOf: (workspace: Workspace) => Promise<RecordFilter>,
): Promise<number> {
  const [{ listRecords }, { writeAuditRecord }] = await Promise.all([
    import('../audit/store.ts'),
    import('../audit/record.ts'),
  ]);
  return withWorkspace(async (workspace) => {
    const { database } = workspace;
    const filter = await filterOf(workspace);
    const detail = { file, filter: { ...filter } };
    const record = { tenantId: null, action: 'audit.exported', subject: 'all', detail } as const;
    await writeAuditRecord(database, workspace, record);
    await writeText(output, csvLine(columns));
    let count = 0;
    let beforeId: string | undefined;
    for (;;) {
      const page = await listRecords(database, filter, { limit: pageSize, beforeId });
      await writeText(output, page.map(lineOf).join(''));
      count += page.length;
      beforeId = page.at(-1)?.id;
      if (page.length < pageSize) return count;
    }
  });
}

function lineOf(record: ListedRecord): string {
  const { id, atMs, actor, origin, action, subject, merchantId, mode } = record;
  return csvLine([
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
  ]);
}

const jsonOf = (value: object | null) => (value === null ? '' : JSON.stringify(value));
