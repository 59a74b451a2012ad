import { resolve } from 'node:path';
import { queryableOf } from '../../platform/postgres/migrations.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { withSession } from './session.ts';
import * as store from './store.ts';
import { type Backup, type BackupOptions, writeBackup } from './write.ts';

/**
 * Writes a backup to a file named by a person, and records it if the database has a list of backups: it counts as a
 * backup, but is never removed automatically.
 */
export async function writeRecordedBackup(file: string, options: BackupOptions): Promise<Backup> {
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
