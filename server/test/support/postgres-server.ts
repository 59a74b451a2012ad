import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCluster } from '../../src/platform/postgres/embedded/cluster.ts';
import type { OsUser } from '../../src/platform/postgres/embedded/os-user.ts';
import { runProgram, spawnProgram } from '../../src/platform/postgres/embedded/run-program.ts';
import { query } from './embedded-postgres.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { Line } from './line.ts';

/** On a machine that is busy with other things a start takes its time. */
const startLimitMs = 60_000;

/** What is changed later (by ALTER SYSTEM) must not be among them: the command line has the last word. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  // Nothing here survives the machine anyway; what a process has written outlives the process.
  fsync: 'off',
  wal_init_zero: 'off',
  // A standby that is made anew finds all it needs at its primary.
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '50ms',
  log_checkpoints: 'off',
  // Failed statements are what these tests make on purpose.
  log_min_messages: 'log',
};

export interface ServerOptions {
  name: string;
  folder: string;
  binaries: string;
  user: OsUser | undefined;
  password: string;
  /** Others than those of this file. */
  settings?: Record<string, string>;
}

/** One PostgreSQL on a port of its own, as on a machine of its own: what happens to it happens to all its processes. */
export class PostgresServer {
  readonly name: string;
  readonly port: number;
  /** Stands between this server, as the primary, and its standby. */
  readonly line: Line;
  readonly #options: ServerOptions;
  #process: ChildProcess | undefined;
  #isClosed = false;

  private constructor(options: ServerOptions, port: number, line: Line) {
    this.name = options.name;
    this.port = port;
    this.line = line;
    this.#options = options;
  }

  /** Without any data yet. */
  static async open(options: ServerOptions): Promise<PostgresServer> {
    const { folder, user } = options;
    await mkdir(folder);
    await chmod(folder, 0o700);
    if (user) await chown(folder, user.uid, user.gid);
    const port = await freePort();
    const line = await Line.open(urlOf(options, port, 'postgres', 'postgres'));
    return new PostgresServer(options, port, line);
  }

  /** For a superuser, who may promote and copy. */
  get adminUrl(): string {
    return urlOf(this.#options, this.port, 'postgres', 'postgres');
  }

  /** For the role that owns the database, as a gateway has it. */
  get url(): string {
    return urlOf(this.#options, this.port, 'zimbo', 'zimbo');
  }

  get data(): string {
    return join(this.#options.folder, 'data');
  }

  get isRunning(): boolean {
    const server = this.#process;
    return server !== undefined && server.exitCode === null && server.signalCode === null;
  }

  /** Makes new files, with our role and database in them. */
  create(): Promise<void> {
    const { folder, binaries, user, password } = this.#options;
    return createCluster({ dataDir: folder, location: folder, user, password }, binaries);
  }

  /** Starts on the files that are there, and waits until it accepts connections. */
  async start(): Promise<void> {
    // Whoever was stopped on the way must not start what nobody would end.
    if (this.#isClosed) throw new Error(`${this.name} is closed`);
    const { folder, binaries, user } = this.#options;
    const logFile = join(folder, 'server.log');
    await using log = await open(logFile, 'a', 0o644);
    const given = Object.entries({ ...settings, ...this.#options.settings, port: `${this.port}` });
    const server = spawnProgram(
      join(binaries, 'bin', 'postgres'),
      ['-D', this.data, ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { user, output: log.fd },
    );
    this.#process = server;
    const answers = async () => {
      if (!this.isRunning)
        throw new Error(`${this.name} ended:\n${await readFile(logFile, 'utf8')}`);
      return query(this.adminUrl, 'SELECT 1').catch(() => undefined);
    };
    await eventually(`${this.name} accepts connections`, answers, startLimitMs);
  }

  /** Ends sessions and stops in order: a standby gets all that was written. */
  async stop(): Promise<void> {
    await this.#end(() => this.#process!.kill('SIGINT'));
  }

  /** As when the machine loses its power. */
  async kill(): Promise<void> {
    const processIds = this.#processIds();
    await this.#end(() => signalAll(processIds, 'SIGKILL'));
    const isOver = () =>
      !processTable().some(
        ({ processId, state }) => processIds.includes(processId) && !state.startsWith('Z'),
      );
    await eventually(`no process of ${this.name} is left`, isOver);
  }

  /** Nothing answers, and no connection breaks: as when the machine stands still. */
  freeze(): void {
    signalAll(this.#processIds(), 'SIGSTOP');
  }

  thaw(): void {
    signalAll(this.#processIds(), 'SIGCONT');
  }

  /** As a superuser; each statement is a transaction of its own. */
  async admin(...statements: string[]): Promise<Record<string, unknown>[]> {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = await query(this.adminUrl, statement);
    return rows;
  }

  /** In the database that Zimbo uses, as its role. */
  zimbo(statement: string): Promise<Record<string, unknown>[]> {
    return query(this.url, statement);
  }

  /** Changes a setting now, for the sessions that there are as well. */
  async set(name: string, value: string): Promise<void> {
    await this.admin(`ALTER SYSTEM SET ${name} = '${value}'`, 'SELECT pg_reload_conf()');
    // The server tells its processes later than it answers.
    await eventually(`${this.name} has ${name} = ${value}`, async () => {
      const [row] = await this.admin(`SHOW ${name}`);
      return row?.[name] === value;
    });
  }

  /** Takes the files of a running server while it goes on writing, and becomes its standby. */
  async copyFrom(
    primary: PostgresServer,
    startAndStop: (copy: () => Promise<void>) => Promise<string>,
  ): Promise<void> {
    await rm(this.data, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    const label = await startAndStop(() => copyData(primary.data, this.data));
    const { user, password } = this.#options;
    const { port } = new URL(primary.line.url);
    const connection = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=${this.name} sslmode=disable`;
    const files = {
      backup_label: label,
      'standby.signal': '',
      // Settings of the primary are not this server's: once promoted, it must not wait for a standby of its own.
      'postgresql.auto.conf': `primary_conninfo = '${connection}'\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.data, name);
      await writeFile(path, text, { mode: 0o600 });
      if (user) await chown(path, user.uid, user.gid);
    }
  }

  /** Kills what runs, and closes the line. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.isRunning) await this.kill();
    this.line.close();
  }

  async #end(how: () => void): Promise<void> {
    if (!this.isRunning) return;
    const exit = once(this.#process!, 'exit');
    how();
    await exit;
  }

  /** The first one is stopped before the others are looked up, so that it makes no more of them. */
  #processIds(): number[] {
    if (!this.isRunning) return [];
    const processId = this.#process!.pid!;
    signalAll([processId], 'SIGSTOP');
    const children = processTable().filter(({ parentId }) => parentId === processId);
    return [processId, ...children.map((child) => child.processId)];
  }
}

function urlOf({ password }: ServerOptions, port: number, role: string, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** What only the running primary has use for; the folders themselves must be there. */
const leftOut = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

async function copyData(from: string, to: string): Promise<void> {
  const { exitCode, output } = await runProgram('cp', ['-a', from, to], { user: undefined });
  // A file that was removed meanwhile is not needed: what removed it is in the WAL.
  const isGone = (line: string) => line === '' || line.includes('No such file or directory');
  if (exitCode !== 0 && !output.split('\n').every(isGone)) throw new Error(output);
  for (const name of leftOut) {
    await runProgram('find', [join(to, name), '-mindepth', '1', '-delete'], { user: undefined });
  }
  for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'backup_label.old'])
    await rm(join(to, name), { force: true });
}

interface ProcessRow {
  processId: number;
  parentId: number;
  state: string;
}

/** All processes of the machine. */
export function processTable(): ProcessRow[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return stdout.split('\n').map((line) => {
    const [processId, parentId, state = ''] = line.trim().split(/\s+/);
    return { processId: Number(processId), parentId: Number(parentId), state };
  });
}

/** Who has ended meanwhile is passed over. */
export function signalAll(processIds: readonly number[], name: NodeJS.Signals): void {
  for (const processId of processIds) {
    try {
      process.kill(processId, name);
    } catch (error) {
      // It may have ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
