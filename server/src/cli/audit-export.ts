import type { Writable } from 'node:stream';
import type { RecordFilter } from '../audit/store.ts';
import { csvLine } from '../formats/csv.ts';
import { writeExport, writeText } from './export.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

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
  const [{ recordPages }, { exportColumns, exportFields }, { writeAuditRecord }] =
    await Promise.all([
      import('../audit/search.ts'),
      import('../audit/export.ts'),
      import('../audit/record.ts'),
    ]);
  return withWorkspace(async (workspace) => {
    const { database } = workspace;
    const filter = await filterOf(workspace);
    const detail = { file, filter: { ...filter } };
    const record = { tenantId: null, action: 'audit.exported', subject: 'all', detail } as const;
    await writeAuditRecord(database, workspace, record);
    await writeText(output, csvLine(exportColumns));
    let count = 0;
    for await (const page of recordPages(database, filter)) {
      await writeText(output, page.map((record) => csvLine(exportFields(record))).join(''));
      count += page.length;
    }
    return count;
  });
}
