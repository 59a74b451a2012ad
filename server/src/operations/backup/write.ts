import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { StartError } from '../../platform/errors/start-error.ts';
import {
  lockMigrations,
  readAppliedMigrations,
  unlockMigrations,
} from '../../platform/postgres/migrations.ts';
import { encrypt } from './encryption.ts';
import {
  type BackupHeader,
  countRows,
  endOfRows,
  formatName,
  formatVersion,
  type OnProgress,
  type TableHeader,
  type TableSummary,
} from './format.ts';
import { copyTarget, listTables, withSession } from './session.ts';
import type { Sink } from './storage-location.ts';

export interface BackupOptions {
  url: string;
  to: Sink;
  programVersion: string;
  /** Public age keys; without them, the backup is not encrypted. */
  recipients?: readonly string[];
  onProgress?: OnProgress;
  /** Ends the backup and removes its file. */
  signal?: AbortSignal;
}

export interface Backup {
  header: BackupHeader;
  tables: TableSummary[];
  /** The size of the file. */
  fileBytes: number;
}

/**
 * Writes all tables as of one instant. The gateway may run meanwhile.
 * @throws StartError if the file cannot be written or there is nothing to back up
 */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const { url, to, recipients = [], signal = new AbortController().signal } = options;
  await to.prepare?.();
  return withSession(url, async (client) => {
    const { header, tables } = await takeSnapshot(client, options.programVersion);
    const summaries: TableSummary[] = [];
    const { onProgress } = options;
    let fileBytes = 0;
    let ofSink: unknown;
    try {
      await pipeline(
        contentsOf(client, header, tables, { summaries, onProgress }),
        createGzip({ level: 1, chunkSize: 262_144 }),
        (text: AsyncIterable<Uint8Array>) =>
          recipients.length === 0 ? text : encrypt(text, recipients),
        async (bytes: AsyncIterable<Uint8Array>) => {
          try {
            fileBytes = await to.write(bytes, signal);
          } catch (error) {
            ofSink = error;
            throw error;
          }
        },
        { signal },
      );
    } catch (error) {
      if (signal.aborted) throw stoppedError();
      // The sink's explanation arrives after the bare error with which it ended the streams.
      throw ofSink instanceof StartError ? ofSink : error;
    }
    return { header, tables: summaries, fileBytes };
  });
}

/** Begins the transaction for all reads. */
async function takeSnapshot(
  client: pg.Client,
  programVersion: string,
): Promise<{ header: BackupHeader; tables: TableHeader[] }> {
  // A migration that rewrites a table between the list and the locks would hide its rows.
  await lockMigrations(client);
  const tables = await listTables(client);
  if (!tables.some(({ table }) => table === 'schema_migrations')) throw notZimboError();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const names = tables.map(({ table }) => pg.escapeIdentifier(table));
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
  const { rows } = await client.query<Pick<BackupHeader, 'snapshotAt' | 'postgresVersion'>>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "snapshotAt",
       current_setting('server_version') AS "postgresVersion"`,
  );
  const landed = await readAppliedMigrations(client);
  const secretKeyIds = await listSecretKeyIds(client, tables);
  await unlockMigrations(client);
  const migrations = landed.map(({ number, name, checksum, program_version }) => ({
    number,
    name,
    checksum,
    programVersion: program_version,
  }));
  const header = {
    format: formatName,
    formatVersion,
    programVersion,
    ...rows[0]!,
    migrations,
    secretKeyIds,
  } as const;
  return { header, tables };
}

/** Every column named box or …_box contains boxes of secrets.ts: a version, then 4 bytes that name the key. */
async function listSecretKeyIds(client: pg.Client, tables: TableHeader[]): Promise<string[]> {
  const ids = tables.flatMap(({ table, columns }) =>
    columns
      .filter((column) => column === 'box' || column.endsWith('_box'))
      .map((column) => pg.escapeIdentifier(column))
      .map(
        (column) => `SELECT encode(substring(${column} FROM 2 FOR 4), 'hex') AS id
          FROM ${pg.escapeIdentifier(table)} WHERE ${column} IS NOT NULL`,
      ),
  );
  if (ids.length === 0) return [];
  const { rows } = await client.query<{ id: string }>(ids.join(' UNION '));
  return rows.map(({ id }) => id);
}

async function* contentsOf(
  client: pg.Client,
  header: BackupHeader,
  tables: TableHeader[],
  { summaries, onProgress }: { summaries: TableSummary[]; onProgress: OnProgress | undefined },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  const line = (value: object) => hashed(Buffer.from(`${JSON.stringify(value)}\n`));
  const sha256 = () => hash.copy().digest('hex');
  yield line(header);
  for (const table of tables) {
    const summary = { table: table.table, rows: 0, bytes: 0 };
    summaries.push(summary);
    yield line(table);
    const rows: AsyncIterable<Buffer> = client.query(copyTo(`COPY ${copyTarget(table)} TO STDOUT`));
    for await (const chunk of rows) {
      summary.rows += countRows(chunk);
      summary.bytes += chunk.length;
      onProgress?.(summary);
      yield hashed(chunk);
    }
    yield hashed(Buffer.from(endOfRows));
    yield line({ rows: summary.rows, sha256: sha256() });
  }
  const rows = summaries.reduce((sum, summary) => sum + summary.rows, 0);
  yield line({ tables: tables.length, rows, sha256: sha256() });
}

const notZimboError = () =>
  new StartError(
    'This database does not belong to Zimbo, so there is nothing to back up.',
    'Check DATABASE_URL or DATA_DIR.',
  );

const stoppedError = () => new StartError('The backup was stopped, and its file removed.');
