import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { reasonOf } from '../../platform/errors/errors.ts';
import { citusNodeOf } from '../../platform/postgres/citus.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { readMigrations } from '../../platform/postgres/migration-files.ts';
import { citusSchemaOf } from '../../platform/postgres/url-options.ts';
import type { Cell } from './cell.ts';
import { verifyCell } from './schema.ts';

/** The state of a cell that answers. */
export interface CellState {
  database: string;
  schema: string;
  merchants: number;
  /** The number of its last migration. */
  migration: number;
  /** How many of this program's migrations it lacks. */
  lacking: number;
}

export interface InspectedCell extends Cell {
  /** Its Citus node, `worker-1:5432`; null without Citus. */
  node: string | null;
  /** The state, or why the cell does not answer or is not the expected one, as text. */
  state: CellState | string;
}

const limitMs = 5_000;

/** Reads the states of all cells concurrently; an unreachable cell takes at most five seconds. */
export function inspectCells(cells: readonly Cell[]): Promise<InspectedCell[]> {
  return Promise.all(
    cells.map(async (cell) => ({
      ...cell,
      node: await nodeOf(cell).catch(() => null),
      state: await inspectCell(cell),
    })),
  );
}

async function nodeOf({ url }: Cell): Promise<string | null> {
  const schema = citusSchemaOf(url);
  const node = schema === undefined ? undefined : await citusNodeOf(url, schema);
  return node ? `${node.host}:${node.port}` : null;
}

async function inspectCell(cell: Cell): Promise<CellState | string> {
  const limits = { connectTimeoutMs: limitMs, statementTimeoutMs: limitMs };
  const log = pino({ level: 'silent' });
  const database = openDatabase({
    url: cell.url,
    log,
    maxConnections: 1,
    readOnly: true,
    ...limits,
  });
  const late = new AbortController();
  try {
    const limit = delay(limitMs, `no answer within ${limitMs / 1_000} s`, late);
    return await Promise.race([stateOf(cell, database), limit]);
  } catch (error) {
    return reasonOf(error as Error);
  } finally {
    late.abort();
    // Does not wait for a cell that hangs.
    void database.close().catch(() => {});
  }
}

const text = `
SELECT current_database()::text AS database, current_schema()::text AS schema,
  (SELECT count(*) FROM merchants)::integer AS merchants,
  (SELECT array_agg(number) FROM schema_migrations) AS numbers`;

async function stateOf(cell: Cell, database: Database): Promise<CellState> {
  await verifyCell(cell, database);
  type Row = Omit<CellState, 'migration' | 'lacking'> & { numbers: number[] };
  const [row] = await database.query<Row>({ text });
  const { numbers, ...state } = row!;
  const known = await readMigrations();
  // Contractions wait until requested.
  const lacking = known.filter(
    ({ number, kind }) => kind !== 'CONTRACTS' && !numbers.includes(number),
  ).length;
  return { ...state, migration: Math.max(...numbers), lacking };
}
