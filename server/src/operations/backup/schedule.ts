import { latestRunMs } from '../../money/settlements/daily-run-time.ts';
import type {
  BackupPlace,
  BackupSchedule,
  BackupSetting,
} from '../../platform/config/backup-variables.ts';
import type { BackupTimes } from './store.ts';

/** Whatever made the last one fail gets as long to pass. */
const restMs = 3_600_000;

/** Whether a backup is due, however many processes ask. */
export function isDue(
  { schedule, timeZone }: { schedule: BackupSchedule; timeZone: string },
  { goodAtMs, failedAtMs }: Pick<BackupTimes, 'goodAtMs' | 'failedAtMs'>,
  nowMs: number,
): boolean {
  if (failedAtMs !== null && nowMs < failedAtMs + restMs) return false;
  // The first is made at once: whoever has just set it up sees whether it works.
  if (goodAtMs === null) return true;
  if (schedule.kind === 'every') return nowMs >= goodAtMs + schedule.hours * 3_600_000;
  const minuteMs = schedule.minute * 60_000;
  return goodAtMs < latestRunMs(nowMs - minuteMs, { hour: schedule.hour, timeZone }) + minuteMs;
}

/** As it is written in BACKUP_SCHEDULE. */
export function scheduleInWords(schedule: BackupSchedule): string {
  if (schedule.kind === 'every') return `every ${schedule.hours} hours`;
  const [hour, minute] = [schedule.hour, schedule.minute].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `daily at ${hour}:${minute}`;
}

/** As it is written in BACKUP_TO, and in the list of backups. */
export const placeAddress = (place: BackupPlace): string =>
  place.kind === 'folder'
    ? place.path
    : `s3://${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`;

/** Where the schedule puts backups; null without a schedule, when those of every place count. */
export const scheduledPlace = ({ schedule, to }: BackupSetting): string | null =>
  schedule && to ? placeAddress(to) : null;
