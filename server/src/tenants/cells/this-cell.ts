import type { Queryable } from '../../platform/postgres/database.ts';
import { homeName } from './cell.ts';

/** The name of the cell in this schema; undefined if there has only been one cell. */
export async function findThisCell(database: Queryable): Promise<string | undefined> {
  const text = 'SELECT name FROM this_cell';
  return (await database.query<{ name: string }>({ text }))[0]?.name;
}

/** Names the cell in this schema, unless it has a name. @returns the name */
export async function nameThisCell(database: Queryable, name: string): Promise<string> {
  const text = 'INSERT INTO this_cell (name) VALUES ($1) ON CONFLICT DO NOTHING';
  await database.query({ text }, [name]);
  return (await findThisCell(database))!;
}

/** Whether this schema is a cell in an installation with several. */
export async function isOneOfSeveral(database: Queryable): Promise<boolean> {
  const text = `
SELECT EXISTS (SELECT FROM cells) OR EXISTS (SELECT FROM this_cell WHERE name <> '${homeName}') AS "isOne"`;
  return (await database.query<{ isOne: boolean }>({ text }))[0]!.isOne;
}
