import { join } from 'node:path';
import type { Run } from '../operations/backup/run.ts';
import type { Sink } from '../operations/backup/storage-location.ts';
import type { Backup } from '../operations/backup/write.ts';
import type { AuditRecord } from '../platform/audit/record.ts';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { version } from '../platform/process/version.ts';
import { homeName } from '../tenants/cells/cell.ts';
import { chosenCell } from './cells/option.ts';
import { toldOf } from './failure.ts';
import { formatBytes, formatCount, formatInstant, printFields, printTable } from './output.ts';
import { withLine, withProgress } from './progress.ts';
import { commandConfig, withHome } from './workspace.ts';
import { recordWherePossible } from './write-audit-record.ts';

/** Backs up each cell to BACKUP_TO, as the schedule does. */
export async function runConfiguredBackup({ ifDue }: { ifDue?: true }): Promise<void> {
  const { placeOf, runBackup } = await import('../operations/backup/run.ts');
  const config = await commandConfig();
  // A problem with BACKUP_TO affects all cells.
  placeOf(config.backup);
  const signal = stopSignal();
  await ofEachCell(config, async ({ url, cell }) => {
    const run = await withLine((say) =>
      runBackup({
        url,
        cell,
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

/** Backs up to a named file or standard output; with several cells, each to its own file. */
export async function backUpTo(given: string): Promise<void> {
  const { recordedBackup } = await import('../operations/backup/record-backup.ts');
  const config = await commandConfig();
  const { recipients } = config.backup;
  const signal = stopSignal();
  const refuse = () => {
    if (given === '-') throw oneInOutput();
  };
  const work = async ({ url, cell }: OneCell) => {
    const file = fileOf(given, cell);
    const sink = await sinkOf(file);
    const backup = await withProgress('Backing up', async (onProgress) => {
      // Written first: no copy is made without an audit record.
      await recordWherePossible(url, backupRecord(file));
      const written = { url, to: sink, programVersion: version, recipients, onProgress, signal };
      return recordedBackup(file, written);
    });
    // Standard output has the backup itself.
    if (file !== '-') printBackup(file, backup, { config });
  };
  await ofEachCell(config, work, refuse);
}

const oneInOutput = () =>
  new StartError(
    'Standard output can take only one cell.',
    'Name the cell: --cell NAME, or --cell home.',
  );

/** For `zimbo.backup.gz`, the file of the cell north is `zimbo.north.backup.gz`; the home's keeps the given name. */
function fileOf(given: string, cell: string | undefined): string {
  if (cell === undefined || chosenCell() !== undefined) return given;
  const [, folder = '', name = ''] = /^(.*?)([^/\\]*)$/s.exec(given) ?? [];
  const [, stem = '', rest = ''] = /^(.[^.]*)(.*)$/s.exec(name) ?? [];
  return cell === homeName ? given : `${folder}${stem}.${cell}${rest}`;
}

interface OneCell {
  url: string;
  /** Of several. */
  cell: string | undefined;
}

/**
 * Runs for one cell after the other; a failure does not stop the others. @param refuseSeveral throws if only one cell
 * is possible
 */
async function ofEachCell(
  config: Config,
  run: (of: OneCell) => Promise<void>,
  refuseSeveral: () => void = () => {},
): Promise<void> {
  await withHome(config, 'command', async (homeUrl) => {
    const { cellNamed, cellsOf, onceIn } = await import('./cells/find.ts');
    const cells = await onceIn(homeUrl, (database) => cellsOf(config, { database, url: homeUrl }));
    const chosen = cellNamed(cells, chosenCell() ?? homeName);
    if (cells.length === 1) return run({ url: homeUrl, cell: undefined });
    if (chosenCell() !== undefined) return run({ url: chosen.url, cell: chosen.name });
    refuseSeveral();
    for (const { name, url } of cells) {
      await run({ url, cell: name }).catch((error: Error) => {
        process.exitCode = 1;
        console.error(`The cell ${name} was not backed up: ${toldOf(error)}`);
      });
    }
  });
}

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
