import { Readable } from 'node:stream';
import { exportWords } from '../../../money/payments/export-rows.ts';
import { type Cell, csvOf } from '../../../platform/formats/spreadsheet.ts';
import { xlsxOf } from '../../../platform/formats/xlsx.ts';
import type { Sent } from '../page.ts';
import type { Language } from '../words/common.ts';

export type SheetFormat = 'csv' | 'xlsx';

export interface Sheet {
  format: SheetFormat;
  language: Language;
  /** Of the sheet within an Excel file. */
  title: string;
  columns: readonly SheetColumn[];
  pages: AsyncIterable<Cell[][]>;
}

export interface SheetColumn {
  title: string;
  width: number;
}

export const sheetTypes: Record<SheetFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The bytes of a table for the reader's spreadsheet program. */
export const sheetBytes = ({ format, language, title, columns, pages }: Sheet) =>
  format === 'csv'
    ? csvOf(exportWords[language].csv, columns, pages)
    : xlsxOf(title, columns, pages);

/** Sends a table as a file, while its rows are read. @param name without the ending */
export const sendSheet = (name: string, sheet: Sheet): Sent => ({
  send: (reply) =>
    reply
      .header('content-type', sheetTypes[sheet.format])
      .header('content-disposition', `attachment; filename="${name}.${sheet.format}"`)
      .send(Readable.from(sheetBytes(sheet))),
});
