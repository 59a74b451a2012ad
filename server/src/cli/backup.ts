import { join } from 'node:path';
import type { Command } from 'commander';
import type { AuditRecord } from '../audit/record.ts';
import type { Backup } from '../backup/write.ts';
import type { Config } from '../config/config.ts';
import type { Queryable } from '../postgres/database.ts';
import { version } from '../version.ts';
import { checkLedger } from './ledger.ts';
import { formatBytes, formatCount, formatInstant, printFields, printTable } from './output.ts';
import { withProgress } from './progress.ts';
import { recordWherePossible } from './record.ts';
import { applyErasuresTo, type Restored } from './restored-erasures.ts';
import { commandConfig, whoRuns, withStorage } from './workspace.ts';

export function addBackupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write a consistent copy of the whole database to a new file')
    .addHelpText('after', backupHelp)
    .action(backUp);
  program
    .command('restore <file>')
    .description('fill an empty database with a backup')
    .option(
      '--without-secret-key',
      'restore even though the secret key is lost: webhook secrets become unreadable',
    )
    .option(
      '--erasures <file>',
      'the file of erasures to repeat (default: erasures.jsonl in DATA_DIR)',
    )
    .addHelpText('after', restoreHelp)
    .action(restore);
}

const backupHelp = `
The gateway may be running. The backup does not contain the secret key: keep that in another place.
docs/backup.md says what the file contains.

Example:
  $ zimbo backup "zimbo-$(date +%F).backup.gz"`;

const restoreHelp = `
The database of DATABASE_URL, or the embedded one in DATA_DIR, must be empty. Its version of PostgreSQL may differ
from that of the backup. If the restore fails, the database stays empty. Erasures made after the backup are repeated
from the file of erasures. At the end, the ledger is checked.

Example:
  $ DATABASE_URL=postgres://zimbo:secret@db.internal/zimbo ZIMBO_SECRET_KEY=… zimbo restore FILE`;

async function backUp(file: string): Promise<void> {
  const { writeBackup } = await import('../backup/write.ts');
  const config = await commandConfig();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort());
  }
  const { signal } = stopping;
  const backup = await withProgress('Backing up', (onProgress) =>
    withStorage(config, 'command', async (url) => {
      // Written first: nobody takes a copy without a record of it.
      await recordWherePossible(url, backupRecord(file));
      return writeBackup({ url, file, programVersion: version, onProgress, signal });
    }),
  );
  printBackup(file, backup, config);
}

const backupRecord = (file: string): AuditRecord => ({
  tenantId: null,
  action: 'database.backed_up',
  subject: 'all',
  detail: { file },
});

function printBackup(file: string, { header, tables, fileBytes }: Backup, config: Config): void {
  const filled = tables.filter(({ rows }) => rows > 0);
  printTable(
    ['TABLE', 'ROWS', 'AS TEXT'],
    filled.map(({ table, rows, bytes }) => [table, formatCount(rows), formatBytes(bytes)]),
  );
  console.log();
  printFields({
    File: file,
    Size: formatBytes(fileBytes),
    Rows: formatCount(tables.reduce((sum, { rows }) => sum + rows, 0)),
    'As of': `${formatInstant(Date.parse(header.snapshotAt))} (UTC)`,
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

function erasedAgain({ file, erasures, payments, underOtherKeys }: Restored): string {
  const done = `${formatCount(erasures)} persons, ${formatCount(payments)} payments (${file})`;
  if (underOtherKeys === 0) return done;
  process.exitCode = 1;
  return `${done}; ${formatCount(underOtherKeys)} persons NOT: their phones were digested with another secret key`;
}

async function restore(
  file: string,
  { withoutSecretKey, erasures }: { withoutSecretKey?: true; erasures?: string },
): Promise<void> {
  const [{ checkRestorable, restoreBackup }, { findSecretKeys }] = await Promise.all([
    import('../backup/restore.ts'),
    import('../secrets/secret-keys.ts'),
  ]);
  const config = await commandConfig();
  const secretKeys = withoutSecretKey ? 'lost' : await findSecretKeys(config);
  const checked = await withProgress('Checking', (onProgress) =>
    checkRestorable(file, { secretKeys, onProgress }),
  );
  const by = { programVersion: version, now: new Date() };
  const { snapshotAt, programVersion } = checked.header;
  const detail = { file, snapshotAt, programVersion };
  const record = (transaction: Queryable) => recordRestore(transaction, by.now, detail);
  const { applied, foreign } = await withProgress('Restoring', (onProgress) =>
    withStorage(config, 'command', (url) =>
      restoreBackup(checked, { url, ...by, onProgress, record }),
    ),
  );
  const again = await applyErasuresTo(config, erasures);
  printFields({
    'Restored rows': formatCount(checked.rows),
    'As of': `${formatInstant(Date.parse(checked.header.snapshotAt))} (UTC)`,
    'Made by': `Zimbo ${checked.header.programVersion} on PostgreSQL ${checked.header.postgresVersion}`,
    ...(applied.length > 0 && { 'Migrations since': applied.join(', ') }),
    ...(foreign.length > 0 && { "Left out, not Zimbo's": foreign.join(', ') }),
    'Erased again': erasedAgain(again),
  });
  // A restore is faithful to the last row, even if the ledger was wrong: it is reported, and nothing is undone.
  await checkLedger({});
}

/** Part of the transaction that restores: no restored database lacks it. */
async function recordRestore(
  transaction: Queryable,
  now: Date,
  detail: Record<string, unknown>,
): Promise<void> {
  const [{ writeAuditRecord }, { randomIds }, { closeAfterRestore }] = await Promise.all([
    import('../audit/record.ts'),
    import('../ids.ts'),
    import('../people/session-store.ts'),
  ]);
  await closeAfterRestore(transaction, now.getTime());
  const by = { clock: { nowMs: () => now.getTime() }, ids: randomIds(), ...whoRuns() };
  await writeAuditRecord(transaction, by, {
    tenantId: null,
    action: 'database.restored',
    subject: 'all',
    detail,
  });
}
