import type { Config } from '../../platform/config/config.ts';
import { StartError } from '../../platform/errors/start-error.ts';

/**
 * A dump of one schema is not a consistent backup of a database on several nodes.
 * @throws StartError if BACKUP_SCHEDULE is set; call this only where there are, or will be, further cells
 */
export function refuseScheduledBackups({ backup }: Pick<Config, 'backup'>): void {
  if (backup.schedule === undefined) return;
  throw new StartError(
    'BACKUP_SCHEDULE is set, but a dump by Zimbo is not consistent across all nodes, so it cannot back up cells.',
    'Unset BACKUP_SCHEDULE, and back up every node with base backups and archived WAL (docs/cells.md).',
  );
}
