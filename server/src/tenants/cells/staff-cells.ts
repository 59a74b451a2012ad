import { type Cell, homeName } from './cell.ts';
import type { Everywhere } from './everywhere.ts';

/** The cells of a gateway that has several, as its staff see them; there is none of this where there is one. */
export interface StaffCells {
  /** In which one is. */
  own: string;
  /** All, the home first. */
  names: readonly string[];
  /** In the home alone: where they are, the home first. */
  all?: readonly Cell[];
  /** In the home alone: its pages show what all cells have. */
  everywhere?: Everywhere;
}

/** A row that came from one of several cells; of the only one it says nothing. */
export interface InCell {
  cell?: string;
}

const homeFolder = '/console/staff';

/** Where the staff's pages of a cell lie; undefined: where there is one cell alone. */
export const staffFolderOf = (cell: string | undefined): string =>
  cell === undefined || cell === homeName ? homeFolder : `${homeFolder}/cells/${cell}`;
