/** What a cell lies on: a schema of any PostgreSQL, or one that Citus keeps on one of its nodes. */
export const engines = ['POSTGRESQL', 'CITUS'] as const;
export type Engine = (typeof engines)[number];

/** The cell that every installation has: its database is that of DATABASE_URL, and the directory lies in it. */
export const homeName = 'home';

/** A schema that holds whole merchants, with every table that there is. */
export interface Cell {
  name: string;
  engine: Engine;
  /** Where its tables are: a database URL whose options set the search path. Of Citus, it leads to the coordinator. */
  url: string;
  /** Its address cannot be read, and url leads nowhere: the cell is away, whoever asks. */
  isUnreadable?: true;
}
