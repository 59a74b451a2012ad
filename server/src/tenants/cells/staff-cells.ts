import type { AllCells } from './all-cells.ts';
import { type Cell, homeName } from './cell.ts';

/** The cells as staff see them; only exists if there are several. */
export interface StaffCells {
  /** The current cell. */
  own: string;
  /** All cells, the home first. */
  names: readonly string[];
  /** Only in the home: the cells with their URLs, the home first. */
  all?: readonly Cell[];
  /** Only in the home: for pages that combine all cells. */
  allCells?: AllCells;
}

/** A row with its cell; undefined if there is only one. */
export interface InCell {
  cell?: string;
}

const homeFolder = '/console/staff';

/** The path of a cell's staff pages. @param cell undefined if there is only one */
export const staffFolderOf = (cell: string | undefined): string =>
  cell === undefined || cell === homeName ? homeFolder : `${homeFolder}/cells/${cell}`;
