import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';

export interface KeyUseDependencies<Key> {
  database: Database;
  clock: Clock;
  log: Logger;
  /** The interval between writes. */
  keyUseIntervalMs: number;
  write(database: Queryable, given: { uses: Use<Key>[] }): Promise<unknown>;
}

type Use<Key> = Key & { atMs: number };

/** Remembers when keys were used, and writes this regularly: no request waits for it. */
export class KeyUse<Key extends { id: string }> {
  #dependencies: KeyUseDependencies<Key>;
  #uses = new Map<string, Use<Key>>();
  #loop: Poller;

  constructor(dependencies: KeyUseDependencies<Key>) {
    this.#dependencies = dependencies;
    const { clock, log, keyUseIntervalMs } = dependencies;
    const claim = () => this.#write().then(() => 0);
    const intervals = { minIntervalMs: keyUseIntervalMs, maxIntervalMs: keyUseIntervalMs };
    this.#loop = new Poller({ name: 'use of keys', clock, log, claim, ...intervals });
  }

  note(key: Key): void {
    const atMs = this.#dependencies.clock.nowMs();
    const use = this.#uses.get(key.id);
    if (use) use.atMs = atMs;
    else this.#uses.set(key.id, { ...key, atMs });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch((error: unknown) => {
      this.#dependencies.log.warn({ err: error }, 'could not record the last use of keys');
    });
  }

  async #write(): Promise<void> {
    const uses = [...this.#uses.values()];
    if (uses.length === 0) return;
    this.#uses.clear();
    await this.#dependencies.write(this.#dependencies.database, { uses });
  }
}
