import type { RecordFilter } from '../platform/audit/store.ts';
import { writeExport } from './ledger-export.ts';

/**
 * Writes the records of all cells that match as CSV, of each the newest first: to a file, which is there in whole or
 * not at all, or to stdout.
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
