import { digestMark } from '../../platform/config/shared-settings.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { isAtLeast } from '../../platform/postgres/program-version.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';

/** A gateway running on this database, as it describes itself. */
export interface RunningProcess {
  id: string;
  role: string;
  host: string;
  pid: number;
  version: string;
  /** Settings that must agree, by name (config/shared-settings.ts). */
  settings: Record<string, string>;
  /** The offset of its wall clock from the database's. */
  clockOffsetMs: number;
  /** Its resident memory at its last report; null from an older program. */
  memoryBytes: number | null;
}

/** A setting that differs between processes. */
export interface Difference {
  setting: string;
  /** Each value with its processes, as text. */
  values: { value: string; processes: string[] }[];
}

const columns = `id, role, host, pid, version, settings, clock_offset_ms AS "clockOffsetMs",
  memory_bytes::float8 AS "memoryBytes"`;
/** A process unseen for three minutes does not run any more, or not properly. */
const isRunning = `seen_at > now() - interval '3 minutes'`;

export const runningProcesses = rowsQuery<RunningProcess, []>({
  name: 'running_processes.list',
  text: `SELECT ${columns} FROM running_processes WHERE ${isRunning} ORDER BY host, pid, id`,
});

export type ProcessInBrief = Pick<RunningProcess, 'role' | 'host' | 'pid' | 'version'>;

/** Reads only columns that have always existed: the database may lack the newest migrations. */
export const processesInBrief = rowsQuery<ProcessInBrief, []>({
  name: 'running_processes.brief',
  text: `SELECT role, host, pid, version FROM running_processes WHERE ${isRunning} ORDER BY host, pid, id`,
});

/** A process with its times. */
export interface ProcessTimes extends RunningProcess {
  startedAtMs: number;
  /** The interval of its reports, a minute. */
  seenAtMs: number;
}

/** More than any installation runs. */
const mostListed = 500;

/** The running processes, with their times. */
export const listProcesses = rowsQuery<ProcessTimes, []>({
  name: 'running_processes.times',
  text: `
SELECT ${columns}, started_at AS "startedAtMs", seen_at AS "seenAtMs"
FROM running_processes WHERE ${isRunning} ORDER BY host, pid, id LIMIT ${mostListed}`,
});

const reportStatement = {
  name: 'running_processes.beat',
  text: `
WITH gone AS (
  DELETE FROM running_processes WHERE seen_at < now() - interval '10 minutes' AND id <> $1
), own AS (
  INSERT INTO running_processes
    (id, role, host, pid, version, settings, clock_offset_ms, memory_bytes, figures, started_at, seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now())
  ON CONFLICT (id) DO UPDATE SET clock_offset_ms = excluded.clock_offset_ms,
    memory_bytes = excluded.memory_bytes, figures = excluded.figures, seen_at = excluded.seen_at
)
SELECT ${columns} FROM running_processes WHERE ${isRunning} AND id <> $1 ORDER BY host, pid, id`,
};

/**
 * Records that a process is running, and returns the other running ones. Rows unseen for long are removed.
 * @param figures its recent counts, for the alert rules
 */
export function reportProcess(
  database: Queryable,
  { id, role, host, pid, version, settings, clockOffsetMs, memoryBytes }: RunningProcess,
  figures: object = {},
): Promise<RunningProcess[]> {
  const described = [id, role, host, pid, version, JSON.stringify(settings)];
  const values = [...described, clockOffsetMs, memoryBytes, JSON.stringify(figures)];
  return database.query<RunningProcess>(reportStatement, values);
}

const unregisterStatement = {
  name: 'running_processes.leave',
  text: 'DELETE FROM running_processes WHERE id = $1',
};

/** A stopping process removes its row, so that nobody is compared with it any more. */
export async function unregisterProcess(database: Queryable, id: string): Promise<void> {
  await database.query(unregisterStatement, [id]);
}

const lockText = 'LOCK TABLE running_processes IN SHARE ROW EXCLUSIVE MODE';

/**
 * Refuses if an incompatible process is running, and blocks the first report of every other process until the
 * transaction ends. A starting process compares the migrations again after its first report, so none slips through.
 * @throws StartError which names the running ones
 */
export async function refuseOlderProcesses(
  transaction: Queryable,
  { name, oldestProgram }: { name: string; oldestProgram: string },
): Promise<void> {
  await transaction.query({ text: lockText });
  refuseOlder(await processesInBrief(transaction), { name, oldestProgram });
}

/** @throws StartError which names the incompatible ones */
export function refuseOlder(
  processes: readonly ProcessInBrief[],
  { name, oldestProgram }: { name: string; oldestProgram: string },
): void {
  const older = olderThan(oldestProgram, processes);
  if (older.length === 0) return;
  throw new StartError(
    `The migration ${name} removes what programs before Zimbo ${oldestProgram} need, and such programs are running on this database: ${older.map(nameWithVersion).join('; ')}.`,
    'Replace them with the newer version, or stop them, and run  zimbo migrate --contract  again. A killed process still counts for three minutes. Nothing was removed.',
  );
}

/** The processes that require an older version. */
export const olderThan = (oldestProgram: string, processes: readonly ProcessInBrief[]) =>
  processes.filter(({ version }) => !isAtLeast(version, oldestProgram));

export const nameOf = ({ role, host, pid }: ProcessInBrief) => `${role} on ${host} (pid ${pid})`;

/** `all on shop-1 (pid 812), Zimbo 0.1.0` */
export const nameWithVersion = (process: ProcessInBrief) =>
  `${nameOf(process)}, Zimbo ${process.version}`;

const versionName = 'the version of Zimbo';
const keyName = 'ZIMBO_SECRET_KEY';

/** The settings that differ between processes. A setting unknown to a process of another version is not compared. */
export function differencesOf(processes: readonly RunningProcess[]): Difference[] {
  const described = processes.map((process) => ({
    name: nameOf(process),
    settings: { [versionName]: process.version, ...process.settings },
  }));
  const names = new Set(described.flatMap(({ settings }) => Object.keys(settings)));
  const differences = [...names].flatMap((setting): Difference[] => {
    const byValue = new Map<string, string[]>();
    for (const { name, settings } of described) {
      const value = (settings as Record<string, string>)[setting];
      if (value !== undefined) byValue.set(value, [...(byValue.get(value) ?? []), name]);
    }
    const values = [...byValue].map(([value, having]) => ({ value, processes: having }));
    return values.length > 1 ? [{ setting, values }] : [];
  });
  // Under different keys, digests of the same secret differ, too.
  const keysDiffer = differences.some(({ setting }) => setting === keyName);
  return keysDiffer ? differences.filter((each) => !isOnlyDigests(each)) : differences;
}

function isOnlyDigests({ setting, values }: Difference): boolean {
  return setting !== keyName && values.every(({ value }) => value.startsWith(digestMark));
}

/** `FEE_MOCK is 200 (all on a (pid 1)), but 300 (worker on b (pid 2))` */
export function describeDifference({ setting, values }: Difference): string {
  const each = values.map(({ value, processes }) => `${value} in ${processes.join(', ')}`);
  return `${setting} differs: ${each.join('; ')}`;
}
