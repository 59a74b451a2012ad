import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { withCitus, withSchema } from '../../platform/postgres/url-options.ts';
import { type Cell, homeName } from './cell.ts';

/** A further cell, as the home stores it. */
export interface StoredCell {
  name: string;
  /** False only in tests: a cell without Citus. */
  isOnCitus: boolean;
  schemaName: string;
  createdAtMs: number;
}

const listStatement = {
  name: 'cells.list',
  text: `
SELECT name, engine = 'CITUS' AS "isOnCitus", schema_name AS "schemaName", created_at AS "createdAtMs"
FROM cells ORDER BY created_at, name`,
};

/** The further cells, oldest first; most installations have none. */
export const listStoredCells = (home: Queryable): Promise<StoredCell[]> =>
  home.query<StoredCell>(listStatement);

/** False if the name is taken. */
export async function insertCell(home: Queryable, cell: StoredCell): Promise<boolean> {
  const text = `
INSERT INTO cells (name, engine, schema_name, created_at)
VALUES ($1, CASE WHEN $2 THEN 'CITUS' ELSE 'POSTGRESQL' END, $3, $4)
ON CONFLICT DO NOTHING RETURNING name`;
  const { name, isOnCitus, schemaName, createdAtMs } = cell;
  const values = [name, isOnCitus, schemaName, timestamp(createdAtMs)];
  return (await home.query({ text }, values)).length > 0;
}

/** The cell with its URL. */
export function cellOf(
  { name, isOnCitus, schemaName }: Omit<StoredCell, 'createdAtMs'>,
  homeUrl: string,
): Cell {
  const url = withSchema(homeUrl, schemaName);
  return { name, url: isOnCitus ? withCitus(url) : url };
}

/** All cells but the home, oldest first. */
export const listFurtherCells = async (home: Queryable, homeUrl: string): Promise<Cell[]> =>
  (await listStoredCells(home)).map((cell) => cellOf(cell, homeUrl));

/** All cells, the home first. */
export const listCells = async (home: Queryable, homeUrl: string): Promise<Cell[]> => [
  { name: homeName, url: homeUrl },
  ...(await listFurtherCells(home, homeUrl)),
];
