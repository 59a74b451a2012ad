import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Floors of PostgreSQL itself, on the gateway's own server; undefined where pgbench is not found. */
export interface PostgresFloors {
  insertsPerSecond: number;
  tpcbPerSecond: number;
}

const insertScript = `INSERT INTO floor (tenant, amount, phone) VALUES (1, 10000, '+2389912345');\n`;
const tpcbScale = '20';

export async function measurePostgres(
  databaseUrl: string,
  seconds: number,
): Promise<PostgresFloors | undefined> {
  if (!(await isFound())) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-pgbench-'));
  try {
    const script = join(folder, 'insert.sql');
    writeFileSync(script, insertScript);
    await psql(databaseUrl, 'CREATE DATABASE floor');
    const floorUrl = databaseUrl.replace('/zimbo?', '/floor?');
    await psql(
      floorUrl,
      'CREATE TABLE floor (id bigserial PRIMARY KEY, tenant int, amount bigint, phone text)',
    );
    const duration = ['-T', String(seconds), '-M', 'prepared', '-n'];
    const insertsPerSecond = await pgbench(floorUrl, [
      ...duration,
      '-c',
      '32',
      '-j',
      '2',
      '-f',
      script,
    ]);
    await pgbench(floorUrl, ['-i', '-q', '-s', tpcbScale]);
    const tpcbPerSecond = await pgbench(floorUrl, [...duration, '-c', '16', '-j', '2']);
    await psql(databaseUrl, 'DROP DATABASE floor');
    return { insertsPerSecond, tpcbPerSecond };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isFound(): Promise<boolean> {
  return execute('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}

async function psql(url: string, sql: string): Promise<void> {
  await execute('psql', [url, '-q', '-c', sql]);
}

async function pgbench(url: string, options: string[]): Promise<number> {
  const { stdout } = await execute('pgbench', [...options, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}
