import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fileSink, fileSource } from '../../src/operations/backup/file.ts';
import { checkRestorable, restoreBackup } from '../../src/operations/backup/restore.ts';
import { writeBackup } from '../../src/operations/backup/write.ts';
import type { SecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { cleanUp } from './cleanup.ts';
import { query } from './embedded-postgres.ts';

export const now = new Date('2026-11-21T10:00:00Z');
export const programVersion = '0.1.0';

/** A folder for one test's files. */
export async function testFolder(context: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-backup-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  // As root, a DATA_DIR here would hold its data in a place of PostgreSQL's user, and leave it
  // there.
  await chmod(folder, 0o711);
  return folder;
}

/** A backup of this database, in the test's folder. */
export async function backupOf(
  context: Pick<TestContext, 'after'>,
  url: string,
): Promise<{ file: string; folder: string }> {
  const folder = await testFolder(context);
  const file = join(folder, 'zimbo.backup.gz');
  await writeBackup({ url, to: fileSink(file), programVersion });
  return { file, folder };
}

/** Verifies and restores, like the command. */
export async function restoreInto(
  url: string,
  file: string,
  options: { secretKeys?: SecretKeys | 'lost'; directory?: string; identities?: string[] } = {},
) {
  const { secretKeys = 'lost', identities = [], ...rest } = options;
  const checked = await checkRestorable(fileSource(file, identities), { secretKeys, ...rest });
  return restoreBackup(checked, { url, programVersion, now, ...rest });
}

/** A copy of a backup with changed text. */
export async function altered(
  file: string,
  name: string,
  change: (text: string) => string,
): Promise<string> {
  const text = gunzipSync(await readFile(file)).toString();
  const changed = change(text);
  if (changed === text) throw new Error('nothing was changed');
  const copy = join(file, '..', name);
  await writeFile(copy, gzipSync(changed));
  return copy;
}

/** The row count of each table, and a digest of all values. */
export async function contentsOf(
  url: string,
): Promise<Record<string, { rows: number; digest: string }>> {
  const tables = await tablesOf(url);
  const selects = tables.map(
    (table) => `SELECT '${table}' AS "table", count(*)::integer AS rows,
      md5(coalesce(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C"), '')) AS digest FROM ${table} AS t`,
  );
  const rows = await query(`${url}&options=-c%20timezone=UTC`, selects.join(' UNION ALL '));
  return Object.fromEntries(
    (rows as { table: string; rows: number; digest: string }[]).map(({ table, ...contents }) => [
      table,
      contents,
    ]),
  );
}

export async function tablesOf(url: string): Promise<string[]> {
  const rows = await query(
    url,
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  return rows.map(({ relname }) => relname as string);
}
