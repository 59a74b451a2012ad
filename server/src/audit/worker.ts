import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { sealRecords } from './seal.ts';

export interface AuditSealerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  /** Between two looks for what is not sealed yet. */
  sealGapMs: number;
}

/** Seals audit records behind those who write them, so that these never wait for each other. */
export class AuditSealer {
  #loop: DueLoop;

  constructor(parts: AuditSealerParts) {
    const { clock, log, sealGapMs } = parts;
    const gaps = { shortestGapMs: sealGapMs, longestGapMs: sealGapMs };
    const claim = async () => {
      const seal = await sealRecords(parts);
      if (!seal) return 0;
      const { number, hash, recordIds } = seal;
      // Outside the database: what is cut off its end can be told by this line only.
      const head = `${number}:${hash.toString('hex')}`;
      log.info({ auditHead: head, records: recordIds.length }, 'audit records are sealed');
      return recordIds.length;
    };
    this.#loop = new DueLoop({ name: 'audit seals', clock, log, claim, ...gaps });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
