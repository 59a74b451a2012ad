import { userInfo } from 'node:os';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { Ids } from '../platform/ids.ts';
import type { Role } from '../platform/postgres/embedded.ts';

/** What commands work with. */
export interface Workspace {
  config: Config;
  database: Database;
  clock: Clock;
  ids: Ids;
  actor: string;
  /** The migrations that this command has applied. */
  applied: string[];
}

const statementTimeoutMs = 3_600_000;

/**
 * Runs a command on the gateway's own database, whether the gateway runs or not. What is heavy is
 * imported here, so that help and usage errors come at once.
 * @param role of this command beside the embedded database
 */
export async function withWorkspace<T>(
  run: (workspace: Workspace) => Promise<T>,
  role: Role = 'command',
): Promise<T> {
  const { loadConfig } = await import('../platform/config.ts');
  const config = loadConfig(process.env, 'command');
  const [{ pino }, { openDatabase }, { migrate }, { systemClock }, { randomIds }] =
    await Promise.all([
      import('pino'),
      import('../platform/database.ts'),
      import('../platform/migrations.ts'),
      import('../platform/clock.ts'),
      import('../platform/ids.ts'),
    ]);
  const storage = await openStorage(config, role);
  try {
    const { url } = storage;
    const { applied } = await migrate(url, { now: new Date(systemClock.nowMs()) });
    const log = pino({ level: config.logLevel }, pino.destination(2));
    const database = openDatabase({ url, log, maxConnections: 1, statementTimeoutMs });
    const actor = `cli:${userName()}`;
    try {
      return await run({ config, database, clock: systemClock, ids: randomIds(), actor, applied });
    } finally {
      await database.close();
    }
  } finally {
    await storage.close();
  }
}

export async function openStorage({ databaseUrl, dataDir }: Config, role: Role) {
  if (databaseUrl) return { url: databaseUrl, close: async () => {} };
  const { openEmbeddedDatabase } = await import('../platform/postgres/embedded.ts');
  return openEmbeddedDatabase({ dataDir, role });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have a number only.
    return String(process.getuid?.() ?? 'unknown');
  }
}
