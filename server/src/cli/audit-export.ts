import type { RecordFilter } from '../platform/audit/store.ts';
import { writeExport } from './ledger-export.ts';

/**
 * Writes the matching records of all cells as CSV, each cell's newest first: to stdout, or to a file that appears only
 * when complete.
 */
export async function exportAudit(file: string, filter: RecordFilter): Promise<void> {
  const [{ recordPages }, { exportColumns, exportFields }, { notFormula }, { writeCells }] =
    await Promise.all([
      import('../platform/audit/search.ts'),
      import('../platform/audit/export.ts'),
      import('../platform/formats/spreadsheet.ts'),
      import('./cells/export.ts'),
    ]);
  const detail = { file, filter: { ...filter } };
  await writeExport(file, 'record', (output) =>
    writeCells(output, {
      columns: exportColumns,
      record: { tenantId: null, action: 'audit.exported', subject: 'all', detail },
      rowsOf: async ({ database }, take) => {
        for await (const page of recordPages(database, filter)) {
          await take(page.map((record) => exportFields(record).map(notFormula)));
        }
      },
    }),
  );
}
