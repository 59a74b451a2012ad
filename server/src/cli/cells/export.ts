import type { Writable } from 'node:stream';
import type { AuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { csvLine } from '../../platform/formats/csv.ts';
import { failureText } from '../failure.ts';
import { writeText } from '../ledger-export.ts';
import type { Workspace } from '../workspace.ts';
import { inEachCell, resultsOf } from './each.ts';

export interface CellExport {
  columns: readonly string[];
  /** What the audit log of each cell says of it. */
  record: AuditRecord;
  /** Hands over what a cell has, page by page. */
  rowsOf: (workspace: Workspace, take: (rows: string[][]) => Promise<void>) => Promise<void>;
}

/**
 * Writes CSV of one cell after the other; of several, each line begins with the name of its cell. A cell that does not
 * answer is left out, with a message.
 * @returns how many rows it wrote
 * @throws what ends it in the middle of a cell: nobody shall take a part of a cell for all of it
 */
export async function writeCells(
  output: Writable,
  { columns, record, rowsOf }: CellExport,
): Promise<number> {
  const { writeAuditRecord } = await import('../../platform/audit/record.ts');
  let count = 0;
  let hasHeading = false;
  let broken: unknown;
  const write = async (workspace: Workspace, cell: string, isOnly: boolean) => {
    if (broken !== undefined) throw broken;
    const lineOf = (name: string, fields: readonly string[]) =>
      csvLine(isOnly ? fields : [name, ...fields]);
    // Written first: nothing leaves without a record of it.
    await writeAuditRecord(workspace.database, workspace, record);
    if (!hasHeading) await writeText(output, lineOf('cell', columns));
    hasHeading = true;
    const before = count;
    try {
      await rowsOf(workspace, async (rows) => {
        count += rows.length;
        await writeText(output, rows.map((fields) => lineOf(cell, fields)).join(''));
      });
    } catch (error) {
      if (count === before) throw error;
      broken = isOnly || output.destroyed ? error : brokenOff(cell, error as Error);
      throw broken;
    }
  };
  const outcomes = await inEachCell(write, { inTurn: true });
  if (broken !== undefined) throw broken;
  resultsOf(outcomes);
  return count;
}

const brokenOff = (cell: string, error: Error) =>
  new StartError(
    `The cell ${cell} broke off in the middle: ${failureText(error)}`,
    'The export is not whole: run it again.',
    { cause: error },
  );
