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

/** On a busy machine, a start takes its time. */
const startLimitMs = 60_000;

/** Settings that tests change later (by ALTER SYSTEM) must not be here: the command line overrides them. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  // Data need not survive the machine, and written data survives its process.
  fsync: 'off',
  wal_init_zero: 'off',
  // A rebuilt standby then finds all WAL that it needs at its primary.
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '50ms',
  log_checkpoints: 'off',
  // These tests cause failing statements on purpose.
  log_min_messages: 'log',
};

export interface ServerOptions {
  name: string;
  folder: string;
  binaries: string;
  user: OsUser | undefined;
  password: string;
  /** Settings in addition to those of this file. */
  settings?: Record<string, string>;
}

/** A PostgreSQL on its own port, like a separate machine: faults hit all its processes. */
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

  /** Creates a new data folder, with our role and database. */
  create(): Promise<void> {
    const { folder, binaries, user, password } = this.#options;
    return createCluster({ dataDir: folder, location: folder, user, password }, binaries);
  }

  /** Starts on the existing data folder, and waits until it accepts connections. */
  async start(): Promise<void> {
    // A server that was closed meanwhile must not start again, because nobody would end it.
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

  /** Ends sessions and stops in order: a standby gets everything that was written. */
  async stop(): Promise<void> {
    await this.#end(() => this.#process!.kill('SIGINT'));
  }

  /** Like a power failure of the machine. */
  async kill(): Promise<void> {
    const processIds = this.#processIds();
    await this.#end(() => signalAll(processIds, 'SIGKILL'));
    const isOver = () =>
      !processTable().some(
        ({ processId, state }) => processIds.includes(processId) && !state.startsWith('Z'),
      );
    await eventually(`no process of ${this.name} is left`, isOver);
  }

  /** Nothing answers, and no connection breaks, as if the machine stood still. */
  freeze(): void {
    signalAll(this.#processIds(), 'SIGSTOP');
  }

  thaw(): void {
    signalAll(this.#processIds(), 'SIGCONT');
  }

  /** As a superuser; each statement is its own transaction. */
  async admin(...statements: string[]): Promise<Record<string, unknown>[]> {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = await query(this.adminUrl, statement);
    return rows;
  }

  /** In Zimbo's database, as its role. */
  zimbo(statement: string): Promise<Record<string, unknown>[]> {
    return query(this.url, statement);
  }

  /** Changes a setting for new and existing sessions. */
  async set(name: string, value: string): Promise<void> {
    await this.admin(`ALTER SYSTEM SET ${name} = '${value}'`, 'SELECT pg_reload_conf()');
    // The server answers before its processes know the setting.
    await eventually(`${this.name} has ${name} = ${value}`, async () => {
      const [row] = await this.admin(`SHOW ${name}`);
      return row?.[name] === value;
    });
  }

  /** Copies the data folder of a running server, and becomes its standby. */
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
      // Drop the primary's settings: once promoted, this server must not wait for a standby.
      'postgresql.auto.conf': `primary_conninfo = '${connection}'\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.data, name);
      await writeFile(path, text, { mode: 0o600 });
      if (user) await chown(path, user.uid, user.gid);
    }
  }

  /** Kills its processes, and closes the line. */
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

  /** Stops the first process before listing the others, so that it starts no more. */
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

/** Needed only by the running primary; the empty folders must exist. */
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
  // A file removed meanwhile is not needed: its removal is in the WAL.
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

/** Skip processes that have ended meanwhile. */
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
