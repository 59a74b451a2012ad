import type { BackupPlace, BackupSetting } from '../config/backup-variables.ts';

/** As it is written in BACKUP_TO, and in the list of backups. */
export const placeAddress = (place: BackupPlace): string =>
  place.kind === 'folder'
    ? place.path
    : `s3://${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`;

/** Where the schedule puts backups; null without a schedule, when those of every place count. */
export const scheduledPlace = ({ schedule, to }: BackupSetting): string | null =>
  schedule && to ? placeAddress(to) : null;
