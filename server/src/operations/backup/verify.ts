import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { problemsIn } from '../../money/ledger/check.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { openEmbeddedDatabase } from '../../platform/postgres/embedded/embedded.ts';
import type { OnProgress } from './format.ts';
import { type CheckedBackup, checkRestorable, restoreBackup } from './restore.ts';
import type { Source } from './storage-location.ts';

export interface VerifyOptions {
  /** The URL of an empty database; it is empty again afterwards. */
  url: string;
  programVersion: string;
  now: Date;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal;
}

/**
 * Restores a backup into an empty database, migrates it, checks the ledger, and rolls everything back.
 * @throws StartError with the problem
 */
export async function verifyBackup(source: Source, options: VerifyOptions): Promise<CheckedBackup> {
  const { onProgress, ...rest } = options;
  const progress = onProgress === undefined ? {} : { onProgress };
  const checked = await checkRestorable(source, { secretKeys: 'lost', ...progress });
  await restoreBackup(checked, {
    ...rest,
    ...progress,
    async inspect(transaction) {
      const problems = await problemsIn(transaction);
      if (problems.length > 0) throw wrongLedgerError(problems.length);
    },
  });
  return checked;
}

const wrongLedgerError = (count: number) =>
  new StartError(
    `The backup can be restored, but its ledger has ${count} problem${count === 1 ? '' : 's'}.`,
    'Check the database that was backed up:  zimbo ledger check',
  );

/**
 * A temporary PostgreSQL in DATA_DIR/verify, one at a time. A leftover server is joined, and stopped at the end.
 * @throws StartError if another test is in progress
 */
export async function withTemporaryDatabase<T>(
  dataDir: string,
  run: (url: string) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'verify');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Its data is thrown away, so it need not reach the disk.
  const tuning = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const storage = await openEmbeddedDatabase({ dataDir: folder, role: 'gateway', tuning });
  try {
    return await run(storage.url);
  } finally {
    await storage.close();
    await rm(storage.location, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
