import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { noteUse } from './store.ts';

export interface KeyUseParts {
  database: Database;
  clock: Clock;
  log: Logger;
  /** Between two times of writing. */
  keyUseGapMs: number;
}

interface Use {
  tenantId: string;
  id: string;
  atMs: number;
}

/** Remembers when keys were used, and writes it down now and then: no request waits for that. */
export class KeyUse {
  #parts: KeyUseParts;
  #uses = new Map<string, Use>();
  #loop: DueLoop;

  constructor(parts: KeyUseParts) {
    this.#parts = parts;
    const { clock, log, keyUseGapMs } = parts;
    const claim = () => this.#write().then(() => 0);
    const gaps = { shortestGapMs: keyUseGapMs, longestGapMs: keyUseGapMs };
    this.#loop = new DueLoop({ name: 'use of keys', clock, log, claim, ...gaps });
  }

  note({ tenantId, key: { id } }: { tenantId: string; key: { id: string } }): void {
    const atMs = this.#parts.clock.nowMs();
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
      this.#parts.log.warn({ err: error }, 'the last use of keys was not written');
    });
  }

  async #write(): Promise<void> {
    const uses = [...this.#uses.values()];
    if (uses.length === 0) return;
    this.#uses.clear();
    await noteUse(this.#parts.database, uses);
  }
}
