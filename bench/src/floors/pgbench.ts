import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const execute = promisify(execFile);

const rowCount = 100_000;
const tpcbScale = '20';

const table = `
CREATE TABLE floor (
  id bigserial PRIMARY KEY, tenant int, amount bigint, phone text, description text
)`;
const rows = `
INSERT INTO floor (tenant, amount, phone, description)
SELECT n % 10, 10000, '+2389912345', repeat('x', 200) FROM generate_series(1, ${rowCount}) n;
CREATE INDEX ON floor (tenant, id);
VACUUM (FREEZE, ANALYZE) floor`;
const anyId = `\\set id random(1, ${rowCount})\n`;

/**
 * A pgbench run with prepared statements: an optional table, its own script or ours, and the number
 * of clients.
 */
const floors = {
  /** A commit for each row. */
  insert: {
    tables: [table],
    script: `INSERT INTO floor (tenant, amount, phone) VALUES (1, 10000, '+2389912345');\n`,
    clients: 32,
  },
  select: {
    tables: [table, ...rows.split(';')],
    script: `${anyId}SELECT * FROM floor WHERE id = :id;\n`,
    clients: 32,
  },
  selectList: {
    tables: [table, ...rows.split(';')],
    script: `${anyId}SELECT * FROM floor WHERE tenant = 1 AND id <= :id ORDER BY id DESC LIMIT 20;\n`,
    clients: 32,
  },
  /** pgbench's own transaction: three updates, a query and an insert. */
  tpcb: { tables: [], script: undefined, clients: 16 },
};

export type PgbenchFloor = keyof typeof floors;

/** The results of pgbench. */
export interface PgbenchResult {
  perSecond: number;
  count: number;
}

export async function isPgbenchFound(): Promise<boolean> {
  return execute('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a floor in its own database on the server of a URL. @param measured runs pgbench; callers
 * measure other costs around this call
 */
export async function measurePgbench(
  databaseUrl: string,
  floor: PgbenchFloor,
  seconds: number,
  measured: (run: () => Promise<PgbenchResult>) => Promise<PgbenchResult> = (run) => run(),
): Promise<PgbenchResult> {
  const { tables, script, clients } = floors[floor];
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-pgbench-'));
  const file = join(folder, 'script.sql');
  const options = ['-T', String(Math.ceil(seconds)), '-M', 'prepared', '-n', '-j', '2'];
  if (script) await writeFile(file, script);
  try {
    return await withDatabase(databaseUrl, async (floorUrl) => {
      for (const text of tables) await runSql(floorUrl, text);
      if (!script) await execute('pgbench', ['-i', '-q', '-s', tpcbScale, floorUrl]);
      const ours = script ? ['-f', file] : [];
      return measured(() => pgbench([...options, '-c', String(clients), ...ours, floorUrl]));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withDatabase<T>(
  databaseUrl: string,
  measure: (floorUrl: string) => Promise<T>,
): Promise<T> {
  await runSql(databaseUrl, 'CREATE DATABASE floor');
  try {
    return await measure(databaseUrl.replace('/zimbo?', '/floor?'));
  } finally {
    await runSql(databaseUrl, 'DROP DATABASE floor');
  }
}

async function runSql(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function pgbench(options: string[]): Promise<PgbenchResult> {
  const { stdout } = await execute('pgbench', options);
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  return {
    perSecond: figure(/tps = ([\d.]+)/),
    count: figure(/transactions actually processed: (\d+)/),
  };
}
