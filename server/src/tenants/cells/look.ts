import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { reasonOf } from '../../platform/errors/errors.ts';
import { citusNodeOf } from '../../platform/postgres/citus.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { readMigrations } from '../../platform/postgres/migration-files.ts';
import { citusSchemaOf } from '../../platform/postgres/url-options.ts';
import type { Cell } from './cell.ts';
import { expectCell } from './schema.ts';

/** A cell that answers. */
export interface CellState {
  database: string;
  schema: string;
  merchants: number;
  /** The number of its last migration. */
  migration: number;
  /** Migrations of this program that it lacks. */
  lacking: number;
}

export interface SeenCell extends Cell {
  /** The node of Citus that has it: `worker-1:5432`; null where Citus has no part in it. */
  node: string | null;
  /** Or why it does not answer, or is not what lies there, in words. */
  state: CellState | string;
}

const limitMs = 5_000;

/** Looks at all cells at once; one that is down is told of after five seconds at most. */
export function lookAtCells(cells: readonly Cell[]): Promise<SeenCell[]> {
  return Promise.all(
    cells.map(async (cell) => ({
      ...cell,
      node: await nodeOf(cell).catch(() => null),
      state: await lookAt(cell),
    })),
  );
}

async function nodeOf({ url }: Cell): Promise<string | null> {
  const schema = citusSchemaOf(url);
  const node = schema === undefined ? undefined : await citusNodeOf(url, schema);
  return node ? `${node.host}:${node.port}` : null;
}

async function lookAt(cell: Cell): Promise<CellState | string> {
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
    // One that hangs is not waited for.
    void database.close().catch(() => {});
  }
}

const text = `
SELECT current_database()::text AS database, current_schema()::text AS schema,
  (SELECT count(*) FROM merchants)::integer AS merchants,
  (SELECT array_agg(number) FROM schema_migrations) AS numbers`;

async function stateOf(cell: Cell, database: Database): Promise<CellState> {
  await expectCell(cell, database);
  type Row = Omit<CellState, 'migration' | 'lacking'> & { numbers: number[] };
  const [row] = await database.query<Row>({ text });
  const { numbers, ...state } = row!;
  const known = await readMigrations();
  // Contractions wait until they are asked for.
  const lacking = known.filter(
    ({ number, kind }) => kind !== 'CONTRACTS' && !numbers.includes(number),
  ).length;
  return { ...state, migration: Math.max(...numbers), lacking };
}
