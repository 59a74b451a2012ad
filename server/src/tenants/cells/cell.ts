/** The cell that every installation has. The directory of the others is in its tables. */
export const homeName = 'home';

/** A schema that holds whole merchants, with every table that there is. */
export interface Cell {
  name: string;
  /** Where its tables are: the URL of the one database, whose options set the search path. */
  url: string;
}
