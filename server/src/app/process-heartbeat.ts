import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import {
  type Difference,
  describeDifference,
  differencesOf,
  type RunningProcess,
  reportProcess,
  unregisterProcess,
} from '../operations/doctor/process-registry.ts';
import type { Config } from '../platform/config/config.ts';
import { sharedSettings } from '../platform/config/shared-settings.ts';
import type { GaugeGroup } from '../platform/observability/gauges.ts';
import type { Database } from '../platform/postgres/database.ts';
import { clockOf, type DatabaseClock } from '../platform/postgres/database-clock.ts';
import { compareMigrations } from '../platform/postgres/migration-comparison.ts';
import { type Clock, monotonicClock } from '../platform/process/clock.ts';
import { version } from '../platform/process/version.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import { ClockKeeper } from './clock-keeper.ts';

export interface TimekeepingDependencies {
  database: Database;
  wallClock: Clock;
  log: Logger;
  config: Config;
  /** The role in this cell, for other processes. */
  role: Config['role'];
  /** The id, if other cells have it already. */
  processId?: string | undefined;
  keys: SecretKeys;
  intervalMs: number;
  /** The recent counts of this process, for the alert rules. */
  figures: () => Promise<object>;
}

/** Checks that all processes on one database agree on the time and most settings. */
export interface Timekeeping {
  clock: DatabaseClock;
  /** The id of this process. */
  processId: string;
  gauges: GaugeGroup;
  /** A connection to the database was made, or has broken. */
  connection(change: 'made' | 'lost'): void;
  /** Measures the clock and compares the settings, now and every minute. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createTimekeeping(dependencies: TimekeepingDependencies): Timekeeping {
  const { database, wallClock, log, config, role, keys, intervalMs, figures } = dependencies;
  const clock = clockOf(database, wallClock);
  const own = {
    id: dependencies.processId ?? randomUUID(),
    role,
    host: hostname(),
    pid: process.pid,
    version,
    settings: sharedSettings(config, keys),
  };
  const comparison = new Comparison(log);
  let hasBeaten = false;
  const compare = async () => {
    const described = {
      ...own,
      clockOffsetMs: Math.round(clock.offsetMs() ?? 0),
      memoryBytes: process.memoryUsage.rss(),
    };
    const others = await reportProcess(database, described, await figures());
    hasBeaten = true;
    comparison.tell([described, ...others]);
  };
  const keeper = new ClockKeeper({ clock, log, monotonicClock, onMeasured: compare, intervalMs });
  let isStarted = false;
  return {
    clock,
    processId: own.id,
    gauges: clockFigures(clock, comparison),
    connection: (change) => keeper.connection(change),
    async start() {
      isStarted = true;
      await keeper.start();
      // The first heartbeat may have been delayed by, or come too late for, a migration that removes what this process
      // needs: the migration checks the running processes, and this checks the applied migrations.
      if (!hasBeaten) await compare();
      await compareMigrations(database);
    },
    async stop() {
      await keeper.stop();
      // Otherwise the others find out within minutes.
      if (isStarted) await unregisterProcess(database, own.id).catch(() => {});
    },
  };
}

/** Logs each difference once: when it begins, changes and ends. */
class Comparison {
  #log: Logger;
  #warned = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  get count(): number {
    return this.#warned.size;
  }

  tell(processes: RunningProcess[]): void {
    const found = new Map(differencesOf(processes).map((each) => [each.setting, each]));
    for (const [setting, difference] of found) {
      const values = valuesOf(difference);
      if (this.#warned.get(setting) === values) continue;
      this.#warned.set(setting, values);
      this.#log.warn({ setting }, `${describeDifference(difference)}. All processes need the same`);
    }
    for (const setting of this.#warned.keys()) {
      if (found.has(setting)) continue;
      this.#warned.delete(setting);
      this.#log.info({ setting }, `${setting} is the same in all processes again`);
    }
  }
}

/** The affected processes may change with each restart. */
const valuesOf = ({ values }: Difference) =>
  JSON.stringify(values.map(({ value }) => value).toSorted());

function clockFigures(clock: DatabaseClock, comparison: Comparison): GaugeGroup {
  return {
    labelNames: [],
    aggregators: {
      zimbo_clock_offset_seconds: 'first',
      zimbo_clock_reliable: 'min',
      zimbo_settings_differing: 'max',
    },
    help: {
      zimbo_clock_offset_seconds:
        'By how much the clock of this machine is ahead of the database’s.',
      zimbo_clock_reliable: '1, or 0 while this process takes no work because its clock is wrong.',
      zimbo_settings_differing: 'Settings that differ between the processes on this database.',
    },
    async read() {
      const offsetMs = clock.offsetMs();
      const one = (value: number) => [{ labels: {}, value }];
      return {
        zimbo_clock_offset_seconds: offsetMs === undefined ? [] : one(offsetMs / 1_000),
        zimbo_clock_reliable: one(clock.isReliable() ? 1 : 0),
        zimbo_settings_differing: one(comparison.count),
      };
    },
  };
}
