import type { Queryable } from '../../platform/postgres/database.ts';
import { homeName } from './cell.ts';

/** Which cell a schema says that it is; undefined where there has been one cell only. */
export async function findThisCell(database: Queryable): Promise<string | undefined> {
  const text = 'SELECT name FROM this_cell';
  return (await database.query<{ name: string }>({ text }))[0]?.name;
}

/** Has a schema say which cell it is, unless it is one already. @returns which it is now */
export async function nameThisCell(database: Queryable, name: string): Promise<string> {
  const text = 'INSERT INTO this_cell (name) VALUES ($1) ON CONFLICT DO NOTHING';
  await database.query({ text }, [name]);
  return (await findThisCell(database))!;
}

/** Whether this schema is a cell of an installation that has several. */
export async function isOneOfSeveral(database: Queryable): Promise<boolean> {
  const text = `
SELECT EXISTS (SELECT FROM cells) OR EXISTS (SELECT FROM this_cell WHERE name <> '${homeName}') AS "isOne"`;
  return (await database.query<{ isOne: boolean }>({ text }))[0]!.isOne;
}
