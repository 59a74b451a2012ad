import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
} from '../../src/platform/postgres/embedded/embedded.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { TorturedGateway } from './gateway.ts';
import { gatewayCount, roleOf, type Strike } from './plan.ts';
import type { Random } from './random.ts';

/**
 * Data need not survive the machine, and a round is faster without fsync. Data still survives its
 * process, and a commit still waits for its write.
 */
const tuning = { fsync: 'off' };

/** On a busy machine, a start takes its time. */
const standLimitMs = 120_000;

/** PostgreSQL with its gateways, and the faults that can hit them. */
export class Cluster {
  readonly gateways: TorturedGateway[] = [];
  /** Bypasses every line, to read the real rows. */
  readonly database: Database;
  readonly payoutsFolder: string;
  /** Gateways that ended on their own. */
  readonly deaths: string[] = [];
  #embedded: EmbeddedDatabase;
  #dataDir: string;
  #thaws = new Map<NodeJS.Timeout, () => void>();

  private constructor(dataDir: string, embedded: EmbeddedDatabase) {
    this.#dataDir = dataDir;
    this.#embedded = embedded;
    this.payoutsFolder = join(dataDir, 'payouts');
    const url = `${embedded.url}&application_name=torture`;
    this.database = openDatabase({
      url,
      log: silentLog,
      maxConnections: 3,
      statementTimeoutMs: 30_000,
    });
  }

  static async start(random: Random): Promise<Cluster> {
    const dataDir = await mkdtemp(join(tmpdir(), 'zimbo-torture-'));
    const embedded = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
    await migrate(embedded.url, { now: new Date() });
    const cluster = new Cluster(dataDir, embedded);
    const secretKey = randomBytes(32).toString('base64');
    const onDeath = (words: string) => cluster.deaths.push(words);
    for (let index = 0; index < gatewayCount; index++) {
      const options = { databaseUrl: embedded.url, dataDir, secretKey, onDeath };
      const gateway = await TorturedGateway.open(options);
      cluster.gateways.push(gateway);
      gateway.start(index === 0 ? 'all' : roleOf(index, random));
    }
    return cluster;
  }

  /** Gateways that take requests, including frozen ones, because clients cannot know. */
  get urls(): string[] {
    const open = this.gateways.filter(({ role, url }) => role !== 'worker' && url !== undefined);
    return open.map(({ url }) => url!);
  }

  async strike(strike: Strike): Promise<void> {
    switch (strike.kind) {
      case 'kill a gateway': {
        const gateway = this.gateways[strike.gateway]!;
        await gateway.kill();
        return gateway.start(strike.nextRole);
      }
      case 'freeze a gateway':
        return this.gateways[strike.gateway]!.freeze(strike.forMs);
      case 'kill PostgreSQL':
        return this.#killPostgres();
      case 'freeze sessions of PostgreSQL':
        return this.#freezeSessions(strike.share, strike.forMs);
      case 'terminate sessions of PostgreSQL':
        return this.#terminateSessions(strike.share);
      case 'cut the line':
        return this.gateways[strike.gateway]!.line.set('open');
      case 'stall the line':
        return this.#stall(this.gateways[strike.gateway]!, strike.forMs);
      case 'lose answers':
        return this.gateways[strike.gateway]!.line.loseAnswers();
    }
  }

  /** The owner of the embedded database restarts it. */
  async #killPostgres(): Promise<void> {
    const file = join(this.#embedded.location, 'data', 'postmaster.pid');
    const processId = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
    if (processId > 1) signal(processId, 'SIGKILL');
  }

  async #freezeSessions(share: number, forMs: number): Promise<void> {
    const processIds = await this.#sessions(share);
    for (const processId of processIds) signal(processId, 'SIGSTOP');
    this.#later(forMs, () => {
      for (const processId of processIds) signal(processId, 'SIGCONT');
    });
  }

  async #terminateSessions(share: number): Promise<void> {
    const text = 'SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid';
    const processIds = await this.#sessions(share);
    await this.database.query({ text }, [processIds]).catch(() => {});
  }

  /** The first sessions of the gateways by process id; none while PostgreSQL is down. */
  async #sessions(share: number): Promise<number[]> {
    const text = `SELECT pid FROM pg_stat_activity WHERE application_name = 'zimbo' ORDER BY md5(pid::text)`;
    const rows = await this.database.query<{ pid: number }>({ text }).catch(() => []);
    return rows.slice(0, Math.ceil(rows.length * share)).map(({ pid }) => pid);
  }

  #stall({ line }: TorturedGateway, forMs: number): void {
    line.stall(true);
    this.#later(forMs, () => line.stall(false));
  }

  #later(ms: number, undo: () => void): void {
    const timer = setTimeout(() => {
      this.#thaws.delete(timer);
      undo();
    }, ms);
    this.#thaws.set(timer, undo);
  }

  /** Waits until PostgreSQL answers and a gateway takes requests. */
  async standing(): Promise<void> {
    const looks = async () => this.urls.length > 0 && (await this.#answers());
    await eventually('PostgreSQL and a gateway answer', looks, standLimitMs);
  }

  /** Waits until no fault lasts and every gateway is ready. */
  async unharmed(): Promise<void> {
    const isReady = ({ url, isFrozen }: TorturedGateway) => url !== undefined && !isFrozen;
    const looks = async () =>
      this.#thaws.size === 0 && this.gateways.every(isReady) && (await this.#answers());
    await eventually('every gateway is ready again', looks, standLimitMs);
  }

  #answers(): Promise<boolean> {
    return this.database.query({ text: 'SELECT 1' }).then(
      () => true,
      () => false,
    );
  }

  async stop(): Promise<void> {
    for (const [timer, undo] of this.#thaws) {
      clearTimeout(timer);
      undo();
    }
    for (const gateway of this.gateways) await gateway.close();
    await this.database.close();
    await this.#embedded.close();
    for (const folder of [this.#embedded.location, this.#dataDir])
      await rm(folder, { recursive: true, force: true });
  }
}

/** The process may have ended meanwhile. */
function signal(processId: number, name: NodeJS.Signals): void {
  try {
    process.kill(processId, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
