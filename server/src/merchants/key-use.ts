import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { Poller } from '../jobs/poller.ts';
import type { Database } from '../postgres/database.ts';
import { noteUse } from './store.ts';

export interface KeyUseDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  /** Between two times of writing. */
  keyUseIntervalMs: number;
}

interface Use {
  tenantId: string;
  id: string;
  atMs: number;
}

/** Remembers when keys were used, and writes it down now and then: no request waits for that. */
export class KeyUse {
  #dependencies: KeyUseDependencies;
  #uses = new Map<string, Use>();
  #loop: Poller;

  constructor(dependencies: KeyUseDependencies) {
    this.#dependencies = dependencies;
    const { clock, log, keyUseIntervalMs } = dependencies;
    const claim = () => this.#write().then(() => 0);
    const intervals = { minIntervalMs: keyUseIntervalMs, maxIntervalMs: keyUseIntervalMs };
    this.#loop = new Poller({ name: 'use of keys', clock, log, claim, ...intervals });
  }

  note({ tenantId, key: { id } }: { tenantId: string; key: { id: string } }): void {
    const atMs = this.#dependencies.clock.nowMs();
    const use = this.#uses.get(id);
    if (use) use.atMs = atMs;
    else this.#uses.set(id, { tenantId, id, atMs });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch((error: unknown) => {
      this.#dependencies.log.warn({ err: error }, 'the last use of keys could not be recorded');
    });
  }

  async #write(): Promise<void> {
    const uses = [...this.#uses.values()];
    if (uses.length === 0) return;
    this.#uses.clear();
    await noteUse(this.#dependencies.database, { uses });
  }
}
