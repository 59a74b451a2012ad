import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const execute = promisify(execFile);

const table =
  'CREATE TABLE floor (id bigserial PRIMARY KEY, tenant int, amount bigint, phone text)';
const insertScript = `INSERT INTO floor (tenant, amount, phone) VALUES (1, 10000, '+2389912345');\n`;
const tpcbScale = '20';

export async function isPgbenchFound(): Promise<boolean> {
  return execute('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Rows inserted per second by single statements, prepared, of 32 clients: a commit for each. */
export async function measureInserts(databaseUrl: string, seconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-pgbench-'));
  const script = join(folder, 'insert.sql');
  await writeFile(script, insertScript);
  try {
    return await withDatabase(databaseUrl, async (floorUrl) => {
      await runSql(floorUrl, table);
      return pgbench(floorUrl, [...timed(seconds), '-c', '32', '-j', '2', '-f', script]);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** pgbench's own transaction (TPC-B): three updates, a query and an insert, of 16 clients. */
export function measureTpcb(databaseUrl: string, seconds: number): Promise<number> {
  return withDatabase(databaseUrl, async (floorUrl) => {
    await pgbench(floorUrl, ['-i', '-q', '-s', tpcbScale]);
    return pgbench(floorUrl, [...timed(seconds), '-c', '16', '-j', '2']);
  });
}

const timed = (seconds: number) => ['-T', String(Math.ceil(seconds)), '-M', 'prepared', '-n'];

/** A database of its own on the gateway's server. */
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

async function pgbench(url: string, options: string[]): Promise<number> {
  const { stdout } = await execute('pgbench', [...options, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}
