import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { KilledGateway } from '../operator-torture/gateway.ts';
import { silentLog } from '../support/database.ts';
import { testKey } from '../support/gateway.ts';

const limits = { maxConnections: 3, statementTimeoutMs: 60_000, connectTimeoutMs: 30_000 };

/** As in the torture tests: short, so that everything finishes while a run waits. */
const times = {
  SIMULATOR_DELAY_MS: '60',
  PAYMENT_WATCH_HOURS: '0.008',
};

/** The gateway's DATABASE_URL. */
export interface Servers {
  /** All servers. */
  readonly url: string;
  /** The current primary. */
  readonly primaryUrl: string;
  /** Ends the servers, and removes everything. */
  stop(): Promise<void>;
}

export interface WorldOptions {
  mode: 'test' | 'live';
  /** Further settings of the gateway. */
  environment?: Record<string, string>;
}

/** Several PostgreSQL servers, and a gateway in its own process that knows all of them. */
export class World<Its extends Servers = Servers> {
  readonly servers: Its;
  readonly gateway: KilledGateway;
  /** A merchant's key. */
  readonly key: string;
  /** The settings for commands on the same installation. */
  readonly environment: Record<string, string>;
  readonly folder: string;

  private constructor(
    given: Pick<World<Its>, 'servers' | 'gateway' | 'key' | 'environment' | 'folder'>,
  ) {
    this.servers = given.servers;
    this.gateway = given.gateway;
    this.key = given.key;
    this.environment = given.environment;
    this.folder = given.folder;
  }

  /** The servers stop with it, even if it does not start. */
  static async start<Its extends Servers>(
    servers: Its,
    { mode, environment: given }: WorldOptions,
  ): Promise<World<Its>> {
    const folder = await mkdtemp(join(tmpdir(), 'zimbo-failover-'));
    const environment = {
      ...times,
      ...given,
      DATABASE_URL: servers.url,
      DATA_DIR: folder,
      ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
      PROMPTS_PER_PHONE: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    const gateway = await KilledGateway.open(environment);
    try {
      await migrate(servers.primaryUrl, { now: new Date() });
      const key = await withDatabase(servers, (database) => testKey(database, mode));
      await gateway.start();
      return new World({ servers, gateway, key, environment, folder });
    } catch (error) {
      await gateway.kill();
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get payoutsFolder(): string {
    return join(this.folder, 'payouts');
  }

  /** Reads from the primary directly, bypassing the gateway. */
  look<T>(run: (database: Database) => Promise<T>): Promise<T> {
    return withDatabase(this.servers, run);
  }

  async stop(): Promise<void> {
    await this.gateway.kill();
    await this.servers.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A new pool for each read, because the primary may have changed. */
async function withDatabase<T>(
  { primaryUrl: url }: Servers,
  run: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url, log: silentLog, ...limits });
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}
