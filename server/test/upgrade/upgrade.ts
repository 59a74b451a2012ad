import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventTypes } from '../../src/integrations/events/event.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { openEmbeddedDatabase } from '../../src/platform/postgres/embedded/embedded.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf } from '../support/gateway.ts';
import { brokenAtRest, type Evidence } from '../torture/check.ts';
import { Load } from '../torture/load.ts';
import { seeded } from '../torture/random.ts';
import { subscribe, TortureReceiver } from '../torture/receiver.ts';
import { OutsideRecord } from '../torture/record.ts';
import { comeToRest } from '../torture/rest.ts';
import { checkOut, newKey, ownRoot, Program, type ProgramOptions } from './programs.ts';

export interface UpgradeOptions {
  /** The commit of the older version. */
  from: string;
  /** How many answers merchants get in each phase. */
  answers: number;
  seed: number;
  tell: (line: string) => void;
}

export interface UpgradeTally {
  requests: number;
  acknowledged: number;
  events: number;
  seconds: number;
  /** Requests without an answer, or with a 5xx, in words. */
  failed: string[];
  /** Other broken promises, in words. */
  broken: string[];
  migrations: string[];
}

/** The load does not disburse: the older version may not know how. */
const typesOfOlder = eventTypes.filter((type) => !/^(operator|disbursement)/.test(type));

const phaseLimitMs = 300_000;

/**
 * Upgrades from an older version to this one and back, under load, with a gateway of each version
 * side by side. @returns what failed, and what was lost
 */
export async function upgradeUnderLoad(options: UpgradeOptions): Promise<UpgradeTally> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-upgrade-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const older = await checkOut(options.from, folder);
  const dataDir = join(folder, 'data');
  // Data need not survive the machine.
  const embedded = await openEmbeddedDatabase({
    dataDir,
    role: 'command',
    tuning: { fsync: 'off' },
  });
  stack.defer(async () => {
    await embedded.close();
    await rm(embedded.location, { recursive: true, force: true });
  });
  const database = openDatabase({
    url: embedded.url,
    log: silentLog,
    maxConnections: 3,
    statementTimeoutMs: 30_000,
  });
  stack.defer(() => database.close());
  const secretKey = randomBytes(32).toString('base64');
  const of = (root: string) => ({ root, databaseUrl: embedded.url, dataDir, secretKey });
  const record = new OutsideRecord();
  const receiver = await TortureReceiver.open(record);
  stack.defer(() => receiver.close());
  const evidence = { record, receiver, database, payoutsFolder: join(dataDir, 'payouts') };
  const run = new Run(options, evidence, { older: of(older), newer: of(ownRoot) });
  stack.defer(() => run.close());
  return await run.all();
}

class Run {
  #options: UpgradeOptions;
  #evidence: Evidence;
  #programs: { older: ProgramOptions; newer: ProgramOptions };
  /** The running gateways. */
  #running: Program[] = [];
  /** The gateways that receive requests. */
  #urls: string[] = [];
  #broken: string[] = [];

  constructor(
    options: UpgradeOptions,
    evidence: Evidence,
    programs: { older: ProgramOptions; newer: ProgramOptions },
  ) {
    this.#options = options;
    this.#evidence = evidence;
    this.#programs = programs;
  }

  async all(): Promise<UpgradeTally> {
    const { record, receiver, database } = this.#evidence;
    const startedMs = performance.now();
    const old = await this.#start('older');
    const landed = await migrationsOf(database);
    const key = newKey(this.#programs.older);
    const fickleId = await subscribe(apiOf(old.url, key), receiver, typesOfOlder);
    const load = new Load({ record, key, fickleId, urls: () => this.#urls });
    let isOver = false;
    const random = seeded(this.#options.seed);
    const loading = load.runWhile(random, () => !isOver);
    try {
      await this.#phases(old);
    } finally {
      isOver = true;
      await loading;
    }
    const left = await comeToRest({ load, database, random });
    const migrations = (await migrationsOf(database)).filter((name) => !landed.includes(name));
    const broken = [...this.#broken, ...left, ...(await brokenAtRest(this.#evidence))];
    return {
      requests: record.answers + record.failed.length,
      acknowledged: record.orders.filter(({ answer }) => answer).length,
      events: receiver.inboxes.get('everything')!.taken.size,
      seconds: (performance.now() - startedMs) / 1_000,
      failed: record.failed,
      broken,
      migrations,
    };
  }

  async #phases(old: Program): Promise<void> {
    await this.#phase('the older version alone');
    const newer = await this.#start('newer');
    await this.#phase('both, side by side');
    await this.#drain(old);
    await this.#phase('the newer version alone');
    await this.#start('older');
    await this.#phase('both, on the way back');
    await this.#drain(newer);
    await this.#phase('the older version alone, on the newer database');
  }

  async #start(which: 'older' | 'newer'): Promise<Program> {
    const program = await Program.start(this.#programs[which]);
    this.#running.push(program);
    this.#urls = [...this.#urls, program.url];
    return program;
  }

  async #phase(name: string): Promise<void> {
    const { record } = this.#evidence;
    const { answers, tell } = this.#options;
    const [before, startedMs] = [record.answers, performance.now()];
    await eventually(name, () => record.answers - before >= answers, phaseLimitMs);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    tell(
      `${name}: ${record.answers - before} answers in ${seconds} s, ${record.failed.length} failed so far`,
    );
  }

  /** Sends no more requests to a gateway, then stops it: it answers the requests in flight. */
  async #drain(program: Program): Promise<void> {
    this.#urls = this.#urls.filter((url) => url !== program.url);
    this.#broken.push(...(await program.stop()));
    if (this.#evidence.record.failed.length > 0)
      for (const line of program.errors.slice(0, 5)) this.#options.tell(line.slice(0, 1_500));
    this.#running = this.#running.filter((other) => other !== program);
  }

  async close(): Promise<void> {
    for (const program of this.#running) await program.stop('SIGKILL');
  }
}

async function migrationsOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>({
    text: 'SELECT name FROM schema_migrations ORDER BY number',
  });
  return rows.map(({ name }) => name);
}
