import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { StartError } from '../../platform/errors/start-error.ts';
import { expectUsable } from '../../platform/postgres/check-database.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { readMigrations } from '../../platform/postgres/migration-files.ts';
import {
  type AppliedBy,
  createRecord,
  lockMigrations,
  queryableOf,
  runMigration,
} from '../../platform/postgres/migrations.ts';
import { secretKeyId } from '../../platform/secrets/secret-box.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import { withoutIndexes } from './defer-indexes.ts';
import { type BackupHeader, countRows, type OnProgress, type TableHeader } from './format.ts';
import { checkBackup, readBackup } from './read.ts';
import { copyTarget, listTables, withSession } from './session.ts';
import type { Source } from './storage-location.ts';

/** A file that has been read completely, and that this program can restore. */
export interface CheckedBackup {
  source: Source;
  header: BackupHeader;
  /** Totals over all tables. */
  rows: number;
  bytes: number;
}

export interface CheckOptions {
  /** Undefined without a key; 'lost' if the person who restores knows that it is lost. */
  secretKeys: SecretKeys | 'lost' | undefined;
  /** The migrations' folder, unless it is the program's own. */
  directory?: string;
  onProgress?: OnProgress;
}

/**
 * Finds obstacles to a restore before touching any database.
 * @throws StartError if the file is damaged, made by a newer program, or has secrets that the key cannot decrypt
 */
export async function checkRestorable(
  source: Source,
  options: CheckOptions,
): Promise<CheckedBackup> {
  const migrations = await readMigrations(options.directory);
  const { header, tables } = await checkBackup(source, {
    onProgress: options.onProgress,
    takeHeader(found) {
      for (const landed of found.migrations) {
        const known = migrations[landed.number - 1];
        if (!known) throw tooNewError(landed);
        if (known.checksum !== landed.checksum) throw changedMigrationError(landed);
      }
      if (options.secretKeys !== 'lost') expectSecretKeys(found, options.secretKeys);
    },
  });
  const sum = (of: 'rows' | 'bytes') => tables.reduce((total, table) => total + table[of], 0);
  return { source, header, rows: sum('rows'), bytes: sum('bytes') };
}

function expectSecretKeys({ secretKeyIds }: BackupHeader, keys: SecretKeys | undefined): void {
  const own = [keys?.current ?? [], keys?.previous ?? []].flat();
  const ownIds = own.map((key) => secretKeyId(key).toString('hex'));
  if (secretKeyIds.every((id) => ownIds.includes(id))) return;
  throw new StartError(
    keys
      ? 'The secrets of webhook endpoints in this backup were encrypted with a secret key other than yours.'
      : 'The secrets of webhook endpoints in this backup are encrypted, and there is no secret key here to decrypt them.',
    `Set ZIMBO_SECRET_KEY to the key of the gateway that was backed up: its value of that variable or, with an embedded database, in DATA_DIR/secret.key.
If that key is lost, add --without-secret-key: everything else is restored, and merchants must replace their webhook endpoints.`,
  );
}

export interface RestoreOptions extends AppliedBy {
  url: string;
  directory?: string;
  onProgress?: OnProgress;
  /** Records the restore, in the same transaction. */
  record?: (transaction: Queryable) => Promise<void>;
  /** Aborts the restore, and leaves the database unchanged. */
  signal?: AbortSignal;
  /** Makes a trial: inspects the restored data, before everything is rolled back. */
  inspect?: (transaction: Queryable) => Promise<void>;
}

export interface Restored {
  /** Migrations newer than the backup. */
  applied: string[];
  /** Tables that are not Zimbo's, and were omitted. */
  foreign: string[];
}

/**
 * Fills an empty database in one transaction: the old schema, the rows, then later migrations. Gateways that start
 * meanwhile wait.
 * @throws StartError if the database is not empty or refuses something; it then stays unchanged
 */
export async function restoreBackup(
  { source, header }: CheckedBackup,
  options: RestoreOptions,
): Promise<Restored> {
  await expectUsable(options.url);
  return withSession(
    options.url,
    async (client) => {
      const migrations = await readMigrations(options.directory);
      // The database may lack a contraction, but have later migrations.
      const had = new Set(header.migrations.map(({ number }) => number));
      const older = migrations.filter(({ number }) => had.has(number));
      const newer = migrations.filter(({ number }) => !had.has(number));
      await lockMigrations(client);
      await expectEmpty(client);
      await client.query('BEGIN');
      await createRecord(client);
      // The backup's rows include their records.
      for (const migration of older) await runMigration(client, migration);
      const foreign = await withoutIndexes(client, () =>
        fillTables(client, source, options.onProgress),
      );
      // Otherwise, the first queries would be planned for empty tables.
      await analyze(client);
      for (const migration of newer) await runMigration(client, migration, options);
      await options.record?.(queryableOf(client));
      if (options.inspect) await client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await options.inspect?.(queryableOf(client));
      await client.query(options.inspect ? 'ROLLBACK' : 'COMMIT');
      return { applied: newer.map(({ name }) => name), foreign };
    },
    options.signal,
  );
}

/** @returns the tables that the schema does not have */
async function fillTables(
  client: pg.Client,
  source: Source,
  onProgress: OnProgress | undefined,
): Promise<string[]> {
  const tables = await listTables(client);
  const awaited = new Set(tables.map(({ table }) => table));
  const foreign: string[] = [];
  await readBackup(source, {
    async takeRows(table, rows) {
      if (awaited.delete(table.table)) return copyRows(client, table, reported(table, rows));
      foreign.push(table.table);
      return skipRows(rows);
    },
  });
  if (awaited.size > 0) {
    const names = [...awaited].join(', ');
    throw new StartError(
      `${JSON.stringify(source.name)} lacks tables (${names}). Nothing was restored.`,
    );
  }
  return foreign;

  async function* reported({ table }: TableHeader, chunks: AsyncIterable<Buffer>) {
    const progress = { table, rows: 0, bytes: 0 };
    for await (const chunk of chunks) {
      yield chunk;
      progress.rows += countRows(chunk);
      progress.bytes += chunk.length;
      onProgress?.(progress);
    }
  }
}

async function analyze(client: pg.Client): Promise<void> {
  const names = (await listTables(client)).map(({ table }) => pg.escapeIdentifier(table));
  await client.query(`ANALYZE ${names.join(', ')}`);
}

async function copyRows(
  client: pg.Client,
  table: TableHeader,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  // Frozen, since nobody has seen the table yet: otherwise VACUUM would soon rewrite all of it.
  const text = `COPY ${copyTarget(table)} FROM STDIN WITH (FREEZE)`;
  const copy = client.query(copyFrom(text));
  try {
    await pipeline(rows, copy);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StartError(
      `The database refuses rows of the table ${table.table}: ${error.message}.`,
      'Nothing was restored.',
      { cause: error },
    );
  }
  return copy.rowCount;
}

async function skipRows(rows: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const chunk of rows) count += countRows(chunk);
  return count;
}

async function expectEmpty(client: pg.Client): Promise<void> {
  const tables = (await listTables(client)).map(({ table }) => table);
  if (tables.length === 0) return;
  const more = tables.length > 3 ? ` and ${tables.length - 3} more` : '';
  throw new StartError(
    `The database to restore into is not empty: it has the tables ${tables.slice(0, 3).join(', ')}${more}.`,
    'Create a new database and set DATABASE_URL to it; or, without DATABASE_URL, set DATA_DIR to a new directory.',
  );
}

const tooNewError = ({ name, programVersion }: BackupHeader['migrations'][number]) =>
  new StartError(
    `The backup is newer than this program: its database had ${name} of Zimbo ${programVersion}, which this program does not know.`,
    `Restore it with Zimbo ${programVersion} or later.`,
  );

const changedMigrationError = ({ name }: BackupHeader['migrations'][number]) =>
  new StartError(
    `The migration ${name} differs between this program and the database that was backed up.`,
    'Restore the backup with the Zimbo version that made it, or with one that has the original file.',
  );
