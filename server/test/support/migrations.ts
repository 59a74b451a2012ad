import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { readMigrations } from '../../src/platform/postgres/migration-files.ts';
import { type MigrateOptions, migrate } from '../../src/platform/postgres/migrations.ts';
import { emptyDatabase } from './database.ts';

export const now = new Date('2026-05-04T10:00:00Z');
export const create = 'CREATE TABLE account (id int);';

/** An empty database, and a folder of migrations. */
export async function setUp(t: TestContext, files: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'zimbo-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  const url = await emptyDatabase(t);
  const write = (file: string, sql: string) => writeFile(join(directory, file), sql);
  for (const [file, sql] of Object.entries(files)) await write(file, sql);
  const run = (options: Partial<MigrateOptions> = {}) =>
    migrate(url, { directory, now, ...options });
  return { url, write, directory, run };
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * A folder of our own migrations, without the last one that `zimbo migrate` applies. @returns also
 * the name of that one
 */
export async function allButTheLast(t: Pick<TestContext, 'after'>) {
  const directory = await mkdtemp(join(tmpdir(), 'zimbo-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  const migrations = await readMigrations();
  while (migrations.at(-1)!.kind === 'CONTRACTS') migrations.pop();
  const last = migrations.pop()!.name;
  for (const { name, sql } of migrations) await writeFile(join(directory, name), sql);
  return { directory, last };
}
