import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
  type Role,
} from '../../src/platform/postgres/embedded/embedded.ts';
import { isAlive, type OsUser, runsAsRoot } from '../../src/platform/postgres/embedded/os-user.ts';

export interface TestProcess {
  child: ChildProcess;
  /** The line of JSON that the process printed. */
  url: string | undefined;
  error: string | undefined;
  /** Sends SIGINT to its process group, like Ctrl-C, and waits for its end. */
  leave(signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** A folder for one test. At the end of the test, stops its processes and removes it. */
export class Scratch {
  readonly directory: string;
  readonly dataDir: string;
  readonly #opened: EmbeddedDatabase[] = [];
  readonly #children: ChildProcess[] = [];

  private constructor(directory: string, dataDirName: string) {
    this.directory = directory;
    this.dataDir = join(directory, dataDirName);
  }

  /** @param options.mode of the folder, which is DATA_DIR's parent; @param options.owner of the folder */
  static async make(
    context: TestContext,
    options: { mode?: number; owner?: OsUser; dataDirName?: string } = {},
  ): Promise<Scratch> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'zimbo-postgres-')));
    const scratch = new Scratch(directory, options.dataDirName ?? 'data');
    context.after(() => scratch.#remove());
    await chmod(directory, options.mode ?? 0o711);
    if (options.owner) await chown(directory, options.owner.uid, options.owner.gid);
    return scratch;
  }

  async open(role: Role, tuning: Record<string, string> = {}): Promise<EmbeddedDatabase> {
    const database = await openEmbeddedDatabase({ dataDir: this.dataDir, role, tuning });
    this.#opened.push(database);
    return database;
  }

  /** Starts a process in a new group; returns once it is ready or has failed. */
  async spawn(role: Role, user?: OsUser): Promise<TestProcess> {
    const child = this.launch(role, user);
    let line = '{"error": "it ended without a word"}';
    for await (line of createInterface({ input: child.stdout! })) break;
    const { url, error } = JSON.parse(line) as { url?: string; error?: string };
    return {
      child,
      url,
      error,
      leave: async (signal = 'SIGINT') => {
        process.kill(-child.pid!, signal);
        return ended(child);
      },
    };
  }

  launch(role: Role, user?: OsUser): ChildProcess {
    const program = join(import.meta.dirname, 'embedded-process.ts');
    const child = spawn(process.execPath, [program, this.dataDir, role], {
      ...(user && { uid: user.uid, gid: user.gid, cwd: '/' }),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    return child;
  }

  async location(): Promise<string | undefined> {
    const marker = await readFile(join(this.dataDir, 'zimbo.json'), 'utf8').catch(() => undefined);
    if (marker === undefined) return undefined;
    return resolve(this.dataDir, (JSON.parse(marker) as { postgres: string }).postgres);
  }

  /** Undefined after an orderly stop of the server. */
  async postmaster(): Promise<number | undefined> {
    const file = join((await this.location()) ?? this.dataDir, 'data', 'postmaster.pid');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : Number.parseInt(text, 10);
  }

  async #remove(): Promise<void> {
    for (const database of this.#opened) await database.close();
    for (const child of this.#children) {
      child.kill('SIGKILL');
      await ended(child);
    }
    const postmaster = await this.postmaster();
    if (postmaster !== undefined && isAlive(postmaster)) {
      process.kill(postmaster, 'SIGQUIT');
      await until('PostgreSQL ends', () => !isAlive(postmaster));
    }
    const location = await this.location();
    // An initdb whose parent was killed may keep writing for a moment.
    const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 };
    if (location) await rm(location, options);
    await rm(this.directory, options);
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('exit', resolve));
  return child.exitCode;
}

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadlineMs = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error(`timed out waiting until ${what}`);
    await sleep(20);
  }
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  // Tests kill servers, and the query in flight reports that.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

export const rootOnly = runsAsRoot() ? false : 'needs to be run as root';
