import { join } from 'node:path';
import type { Run } from '../operations/backup/run.ts';
import type { Sink } from '../operations/backup/storage-location.ts';
import type { Backup } from '../operations/backup/write.ts';
import type { AuditRecord } from '../platform/audit/record.ts';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { version } from '../platform/process/version.ts';
import { formatBytes, formatCount, formatInstant, printFields, printTable } from './output.ts';
import { withLine, withProgress } from './progress.ts';
import { commandConfig, withHome } from './workspace.ts';
import { recordWherePossible } from './write-audit-record.ts';

/** Backs up to BACKUP_TO, as the schedule does. */
export async function runConfiguredBackup({ ifDue }: { ifDue?: true }): Promise<void> {
  const { placeOf, runBackup } = await import('../operations/backup/run.ts');
  const config = await commandConfig();
  placeOf(config.backup);
  const signal = stopSignal();
  await withOnlyCell(config, async (url) => {
    const run = await withLine((say) =>
      runBackup({
        url,
        setting: config.backup,
        embeddedIn: config.databaseUrl === undefined ? config.dataDir : undefined,
        programVersion: version,
        onlyIfDue: ifDue === true,
        onBegin: (file) => recordWherePossible(url, backupRecord(file)),
        onProgress: (doing, { table, rows, bytes }) =>
          say(() => {
            const what = doing === 'writing' ? 'Backing up' : 'Trying';
            return `${what} ${table}: ${formatCount(rows)} rows, ${formatBytes(bytes)}`;
          }),
        signal,
      }),
    );
    if (!run) return;
    printBackup(run.file, run.backup, { config, extra: outcomeOf(run, config) });
    if (run.removalError === undefined) return;
    console.error(`Old backups could not be removed: ${run.removalError}`);
    process.exitCode = 1;
  });
}

function outcomeOf({ isVerified, removed }: Run, { backup }: Config): Record<string, string> {
  return {
    Verified: isVerified
      ? 'read back, restored into an empty database, and the ledger is correct'
      : `no: ${backup.isVerified ? 'set BACKUP_VERIFY_DATABASE_URL to an empty database' : 'BACKUP_VERIFY is false'}`,
    ...(removed.length > 0 && { 'Old ones removed': formatCount(removed.length) }),
  };
}

/** Backs up to a named file or standard output. */
export async function backUpTo(file: string): Promise<void> {
  const { writeRecordedBackup } = await import('../operations/backup/record-backup.ts');
  const config = await commandConfig();
  const { recipients } = config.backup;
  const signal = stopSignal();
  await withOnlyCell(config, async (url) => {
    const sink = await sinkOf(file);
    const backup = await withProgress('Backing up', async (onProgress) => {
      // Written first: no copy is made without an audit record.
      await recordWherePossible(url, backupRecord(file));
      const written = { url, to: sink, programVersion: version, recipients, onProgress, signal };
      return writeRecordedBackup(file, written);
    });
    // Standard output has the backup itself.
    if (file !== '-') printBackup(file, backup, { config });
  });
}

/** @throws StartError where there are further cells: a dump is not one point in time of all nodes of Citus */
async function withOnlyCell(config: Config, run: (url: string) => Promise<void>): Promise<void> {
  const { cellsOf, onceIn } = await import('./cells/find.ts');
  await withHome(config, 'command', async (url) => {
    const [, ...further] = await onceIn(url, (database) => cellsOf({ database, url }));
    if (further.length > 0) throw severalCells(further.map(({ name }) => name));
    await run(url);
  });
}

const severalCells = (names: readonly string[]) =>
  new StartError(
    `This installation has further cells (${names.join(', ')}): a dump by Zimbo is not one point in time of all nodes.`,
    'Back up every node with base backups and archived WAL (docs/cells.md).',
  );

async function sinkOf(file: string): Promise<Sink> {
  if (file === '-')
    return (await import('../operations/backup/standard-streams.ts')).standardOutput;
  return (await import('../operations/backup/file.ts')).fileSink(file);
}

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort());
  }
  return stopping.signal;
}

const backupRecord = (file: string): AuditRecord => ({
  tenantId: null,
  action: 'database.backed_up',
  subject: 'all',
  detail: { file },
});

function printBackup(
  file: string,
  { header, tables, fileBytes }: Backup,
  { config, extra = {} }: { config: Config; extra?: Record<string, string> },
): void {
  const filled = tables.filter(({ rows }) => rows > 0);
  printTable(
    ['TABLE', 'ROWS', 'AS TEXT'],
    filled.map(({ table, rows, bytes }) => [table, formatCount(rows), formatBytes(bytes)]),
  );
  console.log();
  const { recipients } = config.backup;
  printFields({
    File: file,
    Size: formatBytes(fileBytes),
    Rows: formatCount(tables.reduce((sum, { rows }) => sum + rows, 0)),
    'As of': `${formatInstant(Date.parse(header.snapshotAt))} (UTC)`,
    Encrypted: recipients.length > 0 ? `for ${recipients.join(', ')}` : 'no',
    ...extra,
  });
  const { databaseUrl, dataDir } = config;
  const kept = databaseUrl || config.secretKey ? 'ZIMBO_SECRET_KEY' : join(dataDir, 'secret.key');
  console.log(`
Not in the file:
- The secret key (${kept}). Without it, the secrets of webhook endpoints
  cannot be read. Keep a copy, but not beside the backup.
- Files in ${dataDir}: ${databaseUrl ? 'payouts, erasures.jsonl' : 'payouts, erasures.jsonl, demo.env'}.
  Keep an up-to-date erasures.jsonl with every backup: a restore repeats later erasures from it.`);
}
