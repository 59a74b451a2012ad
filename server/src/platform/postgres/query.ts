import type { Queryable, Statement } from './database.ts';

/** A query for one row, with `Values` as parameters; undefined if there is none. */
export const rowQuery =
  <Row, Values extends readonly unknown[]>(statement: Statement) =>
  async (database: Queryable, ...values: Values): Promise<Row | undefined> =>
    (await database.query<Row>(statement, values))[0];

/** A query for all rows. */
export const rowsQuery =
  <Row, Values extends readonly unknown[]>(statement: Statement) =>
  (database: Queryable, ...values: Values): Promise<Row[]> =>
    database.query<Row>(statement, values);
