import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { problemsIn } from '../../money/ledger/check.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { openEmbeddedDatabase } from '../../platform/postgres/embedded/embedded.ts';
import type { OnProgress } from './format.ts';
import { type CheckedBackup, checkRestorable, restoreBackup } from './restore.ts';
import type { Source } from './storage-location.ts';

export interface VerifyOptions {
  /** Of an empty database; it is empty again afterwards. */
  url: string;
  programVersion: string;
  now: Date;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal;
}

/**
 * Restores a backup into an empty database, migrates it, checks the ledger, and rolls all of it back.
 * @throws StartError with what is wrong with it
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
      if (problems.length > 0) throw wrongLedger(problems.length);
    },
  });
  return checked;
}

const wrongLedger = (count: number) =>
  new StartError(
    `The backup can be restored, but its ledger has ${count} problem${count === 1 ? '' : 's'}.`,
    'Look at the database it was made of:  zimbo ledger check',
  );

/**
 * A temporary PostgreSQL, in DATA_DIR/verify: one at a time. A leftover server is joined, and ended
 * with this.
 * @throws StartError if another one is under way
 */
export async function withTemporaryDatabase<T>(
  dataDir: string,
  run: (url: string) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'verify');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // What it holds is thrown away, so it need not reach the disk.
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
