import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../../errors/start-error.ts';
import { installedBinaries, usableBinaries } from './binaries.ts';
import { createCluster } from './cluster.ts';
import { type DataDirectory, openDataDirectory, systemDirectory } from './data-directory.ts';
import { startServer, stopServer } from './server.ts';
import { connect, databaseUrl, isLastUser, isTransient, type Role, takeLocks } from './session.ts';

export type { Role };

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  /** Only one gateway may use a DATA_DIR; commands may run beside it. */
  role: Role;
  /** Settings of PostgreSQL; they apply if this process starts it. */
  tuning?: Record<string, string>;
  /** Called before PostgreSQL does something that takes longer than a moment; perhaps twice. */
  onWait?: (() => void) | undefined;
}

export interface EmbeddedDatabase {
  /** For `pg` and `psql`: our role, which owns the database and is no superuser. */
  url: string;
  /** The directory of PostgreSQL's files and log: in DATA_DIR, if the server's user can enter it. */
  location: string;
  /** Stops PostgreSQL unless another process uses it. Close your own connections first. */
  close(): Promise<void>;
}

const startLimitMs = 30_000;
const pollMs = 50;
const reconnectPauseMs = 500;

/**
 * Starts the PostgreSQL of this DATA_DIR, or joins the running one.
 * @throws StartError if it cannot start, or another gateway runs on this DATA_DIR.
 */
export async function openEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const native = installedBinaries();
  const directory = await openDataDirectory(options.dataDir);
  const binaries = await usableBinaries(native, directory.user, systemDirectory);
  const user = new DatabaseUser(directory, binaries, options);
  await user.join();
  return {
    url: (await databaseUrl(directory, 'zimbo'))!,
    location: directory.location,
    close: () => user.leave(),
  };
}

/** This process as a user of the server; its connection holds the locks that show this. */
class DatabaseUser {
  readonly #directory: DataDirectory;
  readonly #binaries: string;
  readonly #options: EmbeddedDatabaseOptions;
  readonly #leaving = new AbortController();
  #connection: pg.Client | undefined;
  #rejoining: Promise<void> | undefined;
  #left: Promise<void> | undefined;

  constructor(directory: DataDirectory, binaries: string, options: EmbeddedDatabaseOptions) {
    this.#directory = directory;
    this.#binaries = binaries;
    this.#options = options;
  }

  /** Connects to the server and takes the locks; starts the server if it is not running. */
  async join(): Promise<void> {
    const deadlineMs = performance.now() + startLimitMs;
    while (!this.#leaving.signal.aborted) {
      if (await this.#tryToJoin()) return;
      if (performance.now() > deadlineMs) throw this.#notAnsweringError();
      await sleep(pollMs);
    }
  }

  async #tryToJoin(): Promise<boolean> {
    let connection = await connect(this.#directory);
    if (connection === 'absent') {
      await this.#start();
      try {
        connection = await connect(this.#directory);
      } catch (error) {
        // Nobody else would stop it: this process holds no lock that shows the server is in use.
        await stopServer(this.#directory, this.#binaries);
        throw error;
      }
    }
    if (typeof connection === 'string') return false;
    try {
      await takeLocks(connection, this.#options.role, this.#directory);
    } catch (error) {
      await connection.end().catch(() => {});
      if (isTransient(error)) return false;
      throw error;
    }
    this.#connection = connection;
    connection.once('end', () => this.#connectionLost());
    return true;
  }

  async #start(): Promise<void> {
    const data = join(this.#directory.location, 'data');
    const exists = await stat(data).then(
      () => true,
      () => false,
    );
    const { tuning = {}, onWait } = this.#options;
    if (!exists) await createCluster(this.#directory, this.#binaries, onWait);
    await startServer(this.#directory, this.#binaries, { tuning, onWait });
  }

  #notAnsweringError(): StartError {
    const log = join(this.#directory.location, 'server.log');
    return new StartError(
      `The PostgreSQL of DATA_DIR ${this.#directory.dataDir} has not accepted a connection for ${startLimitMs / 1000} seconds.`,
      `Its log says why: ${log}. If it is recovering from a crash, try again in a minute.`,
    );
  }

  /** The server, or our session in it, was killed: the first process to notice restarts it. */
  #connectionLost(): void {
    this.#connection = undefined;
    if (!this.#leaving.signal.aborted) this.#rejoining = this.#rejoin();
  }

  async #rejoin(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted && !this.#connection) {
      await this.join().catch(() => sleep(reconnectPauseMs, undefined, { signal }).catch(() => {}));
    }
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    this.#leaving.abort();
    await this.#rejoining;
    const connection = this.#connection;
    if (!connection) return;
    try {
      if (await isLastUser(connection)) await stopServer(this.#directory, this.#binaries);
    } catch (error) {
      // The server stopped without us.
      if (!isTransient(error)) throw error;
    } finally {
      await connection.end().catch(() => {});
    }
  }
}
