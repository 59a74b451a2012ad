import type { Database } from '../../platform/postgres/database.ts';

/** A cell has not yet proved to be the one that it is called. */
export class NotServed extends Error {
  constructor() {
    super('the cell is not served yet');
  }
}

/**
 * The database of a cell, for whoever asks all cells. It says nothing before the cell is served: what lies at its address
 * may be another, or belong to somebody else.
 */
export function onceServed(database: Database, isServed: () => boolean): Database {
  const require = () => {
    if (!isServed()) throw new NotServed();
  };
  return {
    ...database,
    async query(statement, values) {
      require();
      return database.query(statement, values);
    },
    async transaction(run) {
      require();
      return database.transaction(run);
    },
  };
}
