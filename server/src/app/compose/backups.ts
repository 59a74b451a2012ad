import { BackupWorker } from '../../operations/backup/worker.ts';
import type { Base } from './base.ts';

/** Backups are made when they are due. */
export const composeBackups = (base: Base) =>
  new BackupWorker({ ...base, setting: base.config.backup, cell: base.cells?.own });
