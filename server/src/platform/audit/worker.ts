import type { Logger } from 'pino';
import { Poller } from '../jobs/poller.ts';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { sealRecords } from './seal-chain.ts';
import { hasUnsealed } from './store.ts';

export interface AuditSealerDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  /** The interval between polls for unsealed records. */
  sealIntervalMs: number;
}

/** Seals audit records asynchronously, so that their writers never wait for each other. */
export class AuditSealer {
  #loop: Poller;

  constructor(dependencies: AuditSealerDependencies) {
    const { clock, log, sealIntervalMs } = dependencies;
    const intervals = { minIntervalMs: sealIntervalMs, maxIntervalMs: sealIntervalMs };
    const claim = async () => {
      // Without unsealed records, no transaction is needed.
      if (!(await hasUnsealed(dependencies.database))) return 0;
      const seal = await sealRecords(dependencies);
      if (!seal) return 0;
      const { number, hash, recordIds } = seal;
      // Logged outside the database: only this line can reveal that the end of the log was cut off.
      const head = `${number}:${hash.toString('hex')}`;
      log.info({ auditHead: head, records: recordIds.length }, 'audit records are sealed');
      return recordIds.length;
    };
    this.#loop = new Poller({ name: 'audit seals', clock, log, claim, ...intervals });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
