/** The cell that every installation has. Its tables include the directory of the others. */
export const homeName = 'home';

/** A schema with a full set of tables, which holds whole merchants. */
export interface Cell {
  name: string;
  /** The URL of its tables: the one database, with a search path in the options. */
  url: string;
}
