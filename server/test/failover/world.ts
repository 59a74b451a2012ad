import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrations.ts';
import { KilledGateway } from '../operator-torture/gateway.ts';
import { silentLog } from '../support/database.ts';
import { testKey } from '../support/gateway.ts';
import { Replication } from '../support/replication.ts';

const limits = { maxConnections: 3, statementTimeoutMs: 60_000 };

/** As in the torture: short enough for what is left to end while a run waits. */
const times = {
  SIMULATOR_DELAY_MS: '60',
  PAYMENT_WATCH_HOURS: '0.008',
};

export interface WorldOptions {
  mode: 'test' | 'live';
  /** For the gateway. */
  environment?: Record<string, string>;
}

/** Two PostgreSQL, and a gateway in a process of its own that knows both. */
export class World {
  readonly replication: Replication;
  readonly gateway: KilledGateway;
  /** Of a merchant. */
  readonly key: string;
  /** What commands of the command line need to work on the same. */
  readonly environment: Record<string, string>;
  readonly folder: string;

  private constructor(
    given: Pick<World, 'replication' | 'gateway' | 'key' | 'environment' | 'folder'>,
  ) {
    this.replication = given.replication;
    this.gateway = given.gateway;
    this.key = given.key;
    this.environment = given.environment;
    this.folder = given.folder;
  }

  static async start({ mode, environment: given }: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'zimbo-failover-'));
    const replication = await Replication.start();
    const environment = {
      ...times,
      ...given,
      DATABASE_URL: replication.url,
      DATA_DIR: folder,
      ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
      PROMPTS_PER_PHONE: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    const gateway = await KilledGateway.open(environment);
    try {
      await migrate(replication.primary.url, { now: new Date() });
      const key = await withDatabase(replication, (database) => testKey(database, mode));
      await gateway.start();
      return new World({ replication, gateway, key, environment, folder });
    } catch (error) {
      await gateway.kill();
      await replication.stop();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get payoutsFolder(): string {
    return join(this.folder, 'payouts');
  }

  /** Looks at what the primary has, past the gateway. */
  look<T>(run: (database: Database) => Promise<T>): Promise<T> {
    return withDatabase(this.replication, run);
  }

  async stop(): Promise<void> {
    await this.gateway.kill();
    await this.replication.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Whoever is the primary now: a pool of its own for each look. */
async function withDatabase<T>(
  { primary }: Replication,
  run: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url: primary.url, log: silentLog, ...limits });
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}
