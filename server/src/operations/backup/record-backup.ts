import { resolve } from 'node:path';
import { queryableOf } from '../../platform/postgres/migrations.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { withSession } from './session.ts';
import * as store from './store.ts';
import { type Backup, type BackupOptions, writeBackup } from './write.ts';

/**
 * Writes to a file that a person named, and notes it where the database has a list: it counts as a backup, and nothing
 * removes it.
 */
export async function recordedBackup(file: string, options: BackupOptions): Promise<Backup> {
  const startedMs = performance.now();
  const backup = await writeBackup(options);
  const tookMs = performance.now() - startedMs;
  await withSession(options.url, async (client) => {
    const session = queryableOf(client);
    if (!(await store.hasBackups(session))) return;
    const nowMs = await store.databaseMs(session);
    const id = randomIds().next(nowMs);
    const name = file === '-' ? 'standard output' : resolve(file);
    const isEncrypted = (options.recipients ?? []).length > 0;
    const beganAtMs = Math.floor(nowMs - tookMs);
    await store.insertBackup(session, { id, nowMs: beganAtMs, place: null, name, isEncrypted });
    const ended = { id, nowMs, bytes: backup.fileBytes, isVerified: false, error: null };
    await store.endBackup(session, ended);
  });
  return backup;
}
