import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  installedBinaries,
  usableBinaries,
} from '../../src/platform/postgres/embedded/binaries.ts';
import { systemDirectory } from '../../src/platform/postgres/embedded/data-directory.ts';
import { findServerUser, runsAsRoot } from '../../src/platform/postgres/embedded/os-user.ts';
import { eventually } from './eventually.ts';
import { PostgresServer } from './postgres-server.ts';

const conditionLimitMs = 30_000;

/** A primary and a streaming standby, from the binaries that Zimbo brings. */
export class Replication {
  primary: PostgresServer;
  standby: PostgresServer;
  readonly #folder: string;

  private constructor(folder: string, primary: PostgresServer, standby: PostgresServer) {
    this.#folder = folder;
    this.primary = primary;
    this.standby = standby;
  }

  /** Both run, and the standby streams; commits do not wait for it yet. The database `zimbo` is empty. */
  static async start(): Promise<Replication> {
    const user = runsAsRoot() ? findServerUser() : undefined;
    const binaries = await usableBinaries(installedBinaries(), user, systemDirectory);
    const folder = await mkdtemp(join(tmpdir(), 'zimbo-replication-'));
    await chmod(folder, 0o755);
    const password = randomBytes(12).toString('hex');
    const [first, second] = await Promise.all(
      ['a', 'b'].map((name) =>
        PostgresServer.open({ name, folder: join(folder, name), binaries, user, password }),
      ),
    );
    const replication = new Replication(folder, first!, second!);
    try {
      await first!.create();
      await first!.start();
      await replication.rebuild();
      return replication;
    } catch (error) {
      await replication.stop();
      throw error;
    }
  }

  get servers(): readonly PostgresServer[] {
    return [this.primary, this.standby].toSorted((one, other) =>
      one.name.localeCompare(other.name),
    );
  }

  get primaryUrl(): string {
    return this.primary.url;
  }

  /** Both hosts, as libpq and Zimbo read them, always in the same order. */
  get url(): string {
    const [first, second] = this.servers.map(({ url }) => new URL(url));
    return `postgres://${first!.username}:${first!.password}@${first!.host},${second!.host}/zimbo?target_session_attrs=read-write&sslmode=disable`;
  }

  /** Makes every commit wait until the standby has flushed it. */
  async makeSynchronous(): Promise<void> {
    await this.primary.set('synchronous_standby_names', this.standby.name);
    await this.#streams('sync');
  }

  async makeAsynchronous(): Promise<void> {
    await this.primary.set('synchronous_standby_names', '');
    await this.#streams('async');
  }

  /** Cuts the line: the standby receives nothing more, and data in flight is lost. */
  cut(): void {
    this.primary.line.set('cut');
  }

  restore(): void {
    this.primary.line.set('open');
  }

  /** Waits until the standby has replayed everything that the primary has written so far. */
  async caughtUp(): Promise<void> {
    const [row] = await this.primary.admin('SELECT pg_current_wal_lsn()::text AS position');
    const replayed = `SELECT pg_last_wal_replay_lsn() >= '${String(row!.position)}' AS done`;
    await eventually(
      `${this.standby.name} has caught up`,
      async () => (await this.standby.admin(replayed))[0]?.done === true,
      conditionLimitMs,
    );
  }

  /** Promotes the standby, regardless of the old primary's state: the caller must have fenced it. */
  async promote(): Promise<void> {
    const [promoted, old] = [this.standby, this.primary];
    await promoted.admin('SELECT pg_promote(wait => true, wait_seconds => 30)');
    this.primary = promoted;
    this.standby = old;
  }

  /** Rebuilds the standby from the running primary's files, and waits until it streams. */
  async rebuild(): Promise<void> {
    if (this.standby.isRunning) await this.standby.kill();
    this.restore();
    await this.standby.copyFrom(this.primary, (copy) => backup(this.primary, copy));
    await this.standby.start();
    await this.#streams();
  }

  async #streams(state?: 'sync' | 'async'): Promise<void> {
    const text = `SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming' AND application_name = '${this.standby.name}'`;
    const looks = async () => {
      const [row] = await this.primary.admin(text);
      return row !== undefined && (state === undefined || row.sync_state === state);
    };
    await eventually(`${this.standby.name} streams ${state ?? ''}`, looks, conditionLimitMs);
  }

  /** Ends both, and removes everything. */
  async stop(): Promise<void> {
    for (const server of this.servers) await server.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/**
 * Copies the files between the two calls that make a base backup consistent. @returns the text of
 * backup_label
 */
async function backup(primary: PostgresServer, copy: () => Promise<void>): Promise<string> {
  // Both calls need the same session.
  const client = new pg.Client({ connectionString: primary.adminUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    await copy();
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    return rows[0]!.labelfile;
  } finally {
    await client.end();
  }
}
