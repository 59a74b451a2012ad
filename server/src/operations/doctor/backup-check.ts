import type { BackupSetting } from '../../platform/config/backup-variables.ts';
import { formatAge } from '../../platform/formats/display-format.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { isOneOfSeveral } from '../../tenants/cells/this-cell.ts';
import { scheduledPlace } from '../backup/schedule.ts';
import { type BackupTimes, backupTimes } from '../backup/store.ts';
import { type Finding, ok, warning } from './check.ts';

/** A day, plus two hours for a slow or late backup. No schedule allows less, and the alerts use the same limit. */
export const longestAgeMs = 26 * 3_600_000;

export interface BackupDependencies {
  database: Database;
  clock: Clock;
  config: { backup: BackupSetting };
}

/**
 * The age of the last good backup, if there is live money or a schedule. With a schedule, a manual backup does not
 * hide its failures.
 */
export async function backupFinding({
  database,
  clock,
  config: { backup },
}: BackupDependencies): Promise<Finding> {
  if (await isOneOfSeveral(database)) return backupsOfNodes;
  const times = await backupTimes(database, scheduledPlace(backup));
  const isNeeded = backup.schedule !== undefined || (await hasLiveMoney(database));
  const failed = whyFailed(times);
  if (times.goodAtMs === null) {
    if (!isNeeded) return ok('none yet, and none needed: there is no live money');
    if (failed) return warning(`none is good; the last one failed: ${failed}`, adviceFor(backup));
    if (times.isAhead) return warning('those that were made begin in the future', adviceForClock);
    return warning('none was made of this database', adviceFor(backup));
  }
  const ageMs = clock.nowMs() - times.goodAtMs;
  const trial = times.isVerified ? '' : ', not verified';
  const figure = `the last good one is ${formatAge(Math.max(0, ageMs))} old${trial}`;
  if (failed) return warning(`${figure}; the last one failed: ${failed}`, adviceFor(backup));
  if (times.isAhead)
    return warning(`${figure}; the list has others that begin in the future`, adviceForClock);
  return isNeeded && ageMs > longestAgeMs ? warning(figure, adviceFor(backup)) : ok(figure);
}

/** With several cells, Zimbo makes no dumps. */
export const backupsOfNodes = ok(
  'not made by Zimbo: base backups and archived WAL of every node of Citus (docs/cells.md)',
);

const whyFailed = ({ failedAtMs, error }: BackupTimes) => (failedAtMs === null ? undefined : error);

const adviceFor = ({ schedule }: BackupSetting) =>
  schedule
    ? 'Does a gateway run with ZIMBO_ROLE worker or all? "zimbo backup" makes one now and says what is wrong; "zimbo backup list" shows them.'
    : 'Set BACKUP_TO and BACKUP_SCHEDULE, or run "zimbo backup FILE" every night (docs/backup.md).';

const adviceForClock =
  'A clock jumped ahead when they were made; they count for nothing. Set the clock of the database right if it still is, then "zimbo backup".';

async function hasLiveMoney(database: Database): Promise<boolean> {
  const text = `SELECT EXISTS (
    SELECT FROM balances b JOIN tenants t ON t.id = b.tenant_id WHERE t.mode = 'live') AS live`;
  const [row] = await database.query<{ live: boolean }>({ text });
  return row?.live ?? false;
}
