import { hostname, userInfo } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Role } from '../platform/postgres/embedded/embedded.ts';
import type { Clock } from '../platform/process/clock.ts';
import { type FourEyes, noFourEyes } from '../platform/values/four-eyes.ts';
import type { Ids } from '../platform/values/ids.ts';
import type { Cell } from '../tenants/cells/cell.ts';
import { chosenCell } from './cells/option.ts';
import { expectBegun, mayBegin, notBegun } from './new-installation.ts';

/** The dependencies of commands. */
export interface Workspace {
  config: Config;
  database: Database;
  databaseUrl: string;
  log: Logger;
  clock: Clock;
  ids: Ids;
  actor: string;
  /** The origin, for the audit records. */
  origin: string;
  /** A person with a shell here could change the database anyway. */
  fourEyes: FourEyes;
  /** The migrations that this command has applied. */
  applied: string[];
}

const statementTimeoutMs = 3_600_000;

/**
 * Runs a command on the gateway's own database, or the database of --cell, after migrating it, whether or not the
 * gateway is running. Heavy modules are imported here, so that help and usage errors appear at once. @param role of
 * this command beside the embedded database
 */
export async function withWorkspace<T>(
  run: (workspace: Workspace) => Promise<T>,
  role: Role = 'command',
): Promise<T> {
  const config = await commandConfig();
  return withHome(config, role, async (url) => {
    if (chosenCell() === undefined) return workIn({ config, url }, run);
    const { findChosenCell } = await import('./cells/find.ts');
    return workInCell(config, await findChosenCell(url), run);
  });
}

/** Runs in the home, or in the only database, after migrating it. */
export async function workIn<T>(
  place: { config: Config; url: string },
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const [{ migrate }, { onceIn }] = await Promise.all([
    import('../platform/postgres/migrations.ts'),
    import('./cells/find.ts'),
  ]);
  await onceIn(place.url, (database) => expectBegun(database, place.url));
  const { applied } = await migrate(place.url, { now: new Date(), report });
  return workInMigrated({ ...place, applied }, run);
}

const report = (words: string) => console.error(words);

/** Runs in a cell, after migrating it. @throws StartError if another database is at its address */
export async function workInCell<T>(
  config: Config,
  cell: Cell,
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const { migrateCell } = await import('../tenants/cells/migrate.ts');
  const applied = await migrateCell(cell, { now: new Date(), report });
  return workInMigrated({ config, url: cell.url, applied }, run);
}

export async function workInMigrated<T>(
  { config, url, applied }: { config: Config; url: string; applied: string[] },
  run: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const [{ openLog }, { openDatabase }, { clockOf }, { randomIds }] = await Promise.all([
    import('../platform/observability/log.ts'),
    import('../platform/postgres/database.ts'),
    import('../platform/postgres/database-clock.ts'),
    import('../platform/values/ids.ts'),
  ]);
  const log = openLog(config.logLevel);
  const database = openDatabase({ url, log, maxConnections: 2, statementTimeoutMs });
  // Commands use the database's clock, because gateways do, and their instants are compared.
  const clock = clockOf(database);
  try {
    await clock.measure();
    const own = { fourEyes: noFourEyes, ...whoRuns() };
    const opened = { config, database, databaseUrl: url, log, clock, ids: randomIds() };
    return await run({ ...opened, ...own, applied });
  } finally {
    await database.close();
  }
}

/** The settings of a command. */
export async function commandConfig(): Promise<Config> {
  const { loadConfig } = await import('../platform/config/config.ts');
  return loadConfig(process.env, 'command');
}

/** Runs with the URL of the home, regardless of --cell, without migrating it. */
export async function withHome<T>(
  config: Config,
  role: Role,
  run: (homeUrl: string) => Promise<T>,
): Promise<T> {
  if (!config.databaseUrl && !mayBegin()) {
    const { hasCluster } = await import('../platform/postgres/embedded/marker.ts');
    if (!(await hasCluster(config.dataDir)))
      throw notBegun(`DATA_DIR ${config.dataDir}`, 'DATA_DIR');
  }
  const storage = await openStorage(config, role);
  try {
    if (config.databaseUrl) {
      const { expectReachable } = await import('../platform/postgres/check-database.ts');
      await expectReachable(storage.url);
    }
    return await run(storage.url);
  } finally {
    await storage.close();
  }
}

export async function openStorage({ databaseUrl, dataDir }: Config, role: Role) {
  if (databaseUrl) return { url: databaseUrl, close: async () => {} };
  const { openEmbeddedDatabase } = await import('../platform/postgres/embedded/embedded.ts');
  return openEmbeddedDatabase({ dataDir, role });
}

/** The user and the host of a command. Under sudo every user is root, so the original user is named too. */
export function whoRuns(): { actor: string; origin: string } {
  const { SUDO_USER: behind } = process.env;
  const origin = behind ? `${hostname()}, sudo of ${behind}` : hostname();
  return { actor: `cli:${userName()}`, origin };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have only a number.
    return String(process.getuid?.() ?? 'unknown');
  }
}
