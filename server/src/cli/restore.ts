import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseIdentities } from '../operations/backup/encryption.ts';
import type { Source } from '../operations/backup/storage-location.ts';
import { parseBackupPlace } from '../platform/config/backup-variables.ts';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import type { Queryable } from '../platform/postgres/database.ts';
import { version } from '../platform/process/version.ts';
import { checkLedger } from './ledger-check.ts';
import { formatCount, formatInstant, printFields } from './output.ts';
import { withProgress } from './progress.ts';
import { applyErasuresTo, type Restored, readErasuresFor } from './reapply-erasures.ts';
import { commandConfig, whoRuns, withHome } from './workspace.ts';

interface SourceOptions {
  identity?: string;
}

/** Restores into an empty database, checks it, and rolls back. */
export async function verify(file: string, { identity }: SourceOptions): Promise<void> {
  const { verifyBackup, withTemporaryDatabase } = await import('../operations/backup/verify.ts');
  const config = await commandConfig();
  const { verifyDatabaseUrl } = config.backup;
  if (verifyDatabaseUrl === undefined && config.databaseUrl !== undefined) throw nowhereToTry();
  const checked = await withSource(file, { config, identity }, (source) =>
    withProgress('Trying', (onProgress) => {
      const run = (url: string) =>
        verifyBackup(source, { url, programVersion: version, now: new Date(), onProgress });
      return verifyDatabaseUrl === undefined
        ? withTemporaryDatabase(config.dataDir, run)
        : run(verifyDatabaseUrl);
    }),
  );
  printFields({
    File: file,
    Rows: formatCount(checked.rows),
    'As of': `${formatInstant(Date.parse(checked.header.snapshotAt))} (UTC)`,
    Verified: 'it can be restored, and the ledger is correct',
  });
}

const nowhereToTry = () =>
  new StartError(
    'There is no empty database to verify the backup in.',
    'Create one, and set BACKUP_VERIFY_DATABASE_URL to it; the restore is rolled back, so it stays empty.',
  );

export interface RestoreOptions extends SourceOptions {
  withoutSecretKey?: true;
  erasures?: string;
}

export async function restore(file: string, options: RestoreOptions): Promise<void> {
  const config = await commandConfig();
  const { identity } = options;
  await withSource(file, { config, identity }, (source) => restoreFrom(source, config, options));
}

async function restoreFrom(
  source: Source,
  config: Config,
  { withoutSecretKey, erasures }: RestoreOptions,
): Promise<void> {
  const [{ checkRestorable, restoreBackup }, { findSecretKeys }] = await Promise.all([
    import('../operations/backup/restore.ts'),
    import('../platform/secrets/secret-keys.ts'),
  ]);
  const kept = await readErasuresFor(config, erasures);
  const secretKeys = withoutSecretKey ? 'lost' : await findSecretKeys(config);
  const checked = await withProgress('Checking', (onProgress) =>
    checkRestorable(source, { secretKeys, onProgress }),
  );
  const by = { programVersion: version, now: new Date() };
  const { snapshotAt, programVersion } = checked.header;
  const detail = { file: source.name, snapshotAt, programVersion };
  const record = (transaction: Queryable) => recordRestore(transaction, by.now, detail);
  const { applied, foreign } = await withProgress('Restoring', (onProgress) =>
    withHome(config, 'command', (url) =>
      restoreBackup(checked, { url, ...by, onProgress, record }),
    ),
  );
  const again = await applyErasuresTo(config, kept);
  printFields({
    'Restored rows': formatCount(checked.rows),
    'As of': `${formatInstant(Date.parse(checked.header.snapshotAt))} (UTC)`,
    'Made by': `Zimbo ${checked.header.programVersion} on PostgreSQL ${checked.header.postgresVersion}`,
    ...(applied.length > 0 && { 'Migrations since': applied.join(', ') }),
    ...(foreign.length > 0 && { "Left out, not Zimbo's": foreign.join(', ') }),
    'Erased again': erasedAgain(again),
  });
  // A restore is faithful to the last row: a wrong ledger is reported, but the restore stands.
  await checkLedger({});
}

function erasedAgain(restored: Restored): string {
  const { file, erasures, payments, underOtherKeys, unreadable } = restored;
  const done = `${formatCount(erasures)} persons, ${formatCount(payments)} payments (${file})`;
  if (underOtherKeys + unreadable === 0) return done;
  process.exitCode = 1;
  const others = `${formatCount(underOtherKeys)} persons NOT: their phones were digested with another secret key`;
  const lines = `${formatCount(unreadable)} lines of the file NOT: they cannot be read`;
  return [done, underOtherKeys > 0 ? others : [], unreadable > 0 ? lines : []].flat().join('; ');
}

/** Written in the transaction of the restore: every restored database has it. */
async function recordRestore(
  transaction: Queryable,
  now: Date,
  detail: Record<string, unknown>,
): Promise<void> {
  const [{ writeAuditRecord }, { randomIds }, { closeAfterRestore }, { forgetBackups }] =
    await Promise.all([
      import('../platform/audit/record.ts'),
      import('../platform/values/ids.ts'),
      import('../tenants/people/session-store.ts'),
      import('../operations/backup/store.ts'),
    ]);
  await closeAfterRestore(transaction, now.getTime());
  await forgetBackups(transaction);
  const by = { clock: { nowMs: () => now.getTime() }, ids: randomIds(), ...whoRuns() };
  await writeAuditRecord(transaction, by, {
    tenantId: null,
    action: 'database.restored',
    subject: 'all',
    detail,
  });
}

/** A file of this machine, an object of BACKUP_S3_…, or standard input. */
async function withSource<T>(
  file: string,
  { config, identity }: { config: Config; identity: string | undefined },
  run: (source: Source) => Promise<T>,
): Promise<T> {
  const identities = identity === undefined ? [] : await readIdentities(identity);
  if (file === '-') {
    const { withStandardInput } = await import('../operations/backup/standard-streams.ts');
    // A new DATA_DIR must be empty.
    const folder = config.databaseUrl === undefined ? dirname(config.dataDir) : config.dataDir;
    return withStandardInput({ folder, identities }, run);
  }
  if (file.startsWith('s3://')) {
    const { openPlace } = await import('../operations/backup/storage-location.ts');
    const [, folder, name] = /^(.*)\/([^/]+)$/.exec(file) ?? [];
    const place = parseBackupPlace(folder ?? '');
    if (!place || name === undefined || /^\.{1,2}$/.test(name)) {
      throw new StartError(
        `${JSON.stringify(file)} is not a valid address: it must look like s3://BUCKET/NAME.`,
      );
    }
    const store = openPlace(place, config.backup.s3);
    return run({ name: file, identities, open: () => store.open(name) });
  }
  const { fileSource } = await import('../operations/backup/file.ts');
  return run(fileSource(file, identities));
}

async function readIdentities(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The private key ${JSON.stringify(file)} cannot be read (${code}).`);
  }
  const identities = parseIdentities(text);
  if (identities.length > 0) return identities;
  throw new StartError(
    `${JSON.stringify(file)} contains no private key for age: a line that begins with AGE-SECRET-KEY-.`,
  );
}
