import { BackupWorker } from '../../operations/backup/worker.ts';
import type { Base } from './base.ts';

/** Composes scheduled backups. */
export const composeBackups = (base: Base) =>
  new BackupWorker({ ...base, setting: base.config.backup });
