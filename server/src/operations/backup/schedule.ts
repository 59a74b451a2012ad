import { latestRunMs } from '../../money/settlements/daily-run-time.ts';
import type {
  BackupPlace,
  BackupSchedule,
  BackupSetting,
} from '../../platform/config/backup-variables.ts';
import type { BackupTimes } from './store.ts';

/** The pause after a failure. */
const restMs = 3_600_000;

/** Whether a backup is due, however many processes ask. */
export function isDue(
  { schedule, timeZone }: { schedule: BackupSchedule; timeZone: string },
  { goodAtMs, failedAtMs }: Pick<BackupTimes, 'goodAtMs' | 'failedAtMs'>,
  nowMs: number,
): boolean {
  if (failedAtMs !== null && nowMs < failedAtMs + restMs) return false;
  // The first backup is due immediately, which shows whether the settings work.
  if (goodAtMs === null) return true;
  if (schedule.kind === 'every') return nowMs >= goodAtMs + schedule.hours * 3_600_000;
  const minuteMs = schedule.minute * 60_000;
  return goodAtMs < latestRunMs(nowMs - minuteMs, { hour: schedule.hour, timeZone }) + minuteMs;
}

/** In the notation of BACKUP_SCHEDULE. */
export function formatSchedule(schedule: BackupSchedule): string {
  if (schedule.kind === 'every') return `every ${schedule.hours} hours`;
  const [hour, minute] = [schedule.hour, schedule.minute].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `daily at ${hour}:${minute}`;
}

/** In the notation of BACKUP_TO and of the list of backups. */
export const placeAddress = (place: BackupPlace): string =>
  place.kind === 'folder'
    ? place.path
    : `s3://${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`;

/** The destination of scheduled backups; null without a schedule, when backups in every place count. */
export const scheduledPlace = ({ schedule, to }: BackupSetting): string | null =>
  schedule && to ? placeAddress(to) : null;
