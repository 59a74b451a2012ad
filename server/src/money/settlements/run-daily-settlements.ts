import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors/errors.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { ProcessSettlement } from './create.ts';
import type { DailyRun } from './daily-run-time.ts';
import { latestRuns } from './payout-schedule-times.ts';
import { dueForRun, markRun } from './unsettled-store.ts';

interface FeeOwner {
  tenantId: string;
  merchantId: string;
  currency: string;
}

export interface DailySettlementsDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  run: DailyRun;
  processSettlement: ProcessSettlement;
  /** Issues the statement of last month's fees, once. */
  issueFeeStatement: (owner: FeeOwner) => Promise<void>;
}

const intervalMs = 60_000;
const maxAtOnce = 50;

/**
 * Once a day, settles the balances of every merchant whose schedule includes the day, and states the fees of last
 * month. The run is recorded together with its result, so it happens once for any number of processes, and late rather
 * than never.
 */
export class DailySettlements {
  #dependencies: DailySettlementsDependencies;
  #loop: Poller;

  constructor(dependencies: DailySettlementsDependencies) {
    this.#dependencies = dependencies;
    const { clock, log } = dependencies;
    const name = 'daily settlements';
    const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
    this.#loop = new Poller({ name, clock, log, claim: () => this.#run(), ...intervals });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #run(): Promise<number> {
    const { database, clock, log, run, processSettlement, issueFeeStatement } = this.#dependencies;
    let failed = 0;
    const nowMs = clock.nowMs();
    const due = await dueForRun(database, latestRuns(nowMs, run), maxAtOnce);
    for (const { tenantId, merchantId, currency } of due) {
      const input = { tenantId, merchantId, currency, idempotencyKey: null };
      try {
        const settled = await processSettlement(input).catch(unlessOpen);
        if (!settled) await markRun(database, { tenantId, currency, nowMs });
      } catch (error) {
        // One merchant's failure must not keep the others from their money.
        log.error(
          { err: error, tenantId, currency },
          'a daily settlement failed and will be retried',
        );
        failed += 1;
      }
      await issueFeeStatement({ tenantId, merchantId, currency }).catch((error: unknown) => {
        log.error({ err: error, tenantId, currency }, 'a statement of fees was not issued');
      });
    }
    return due.length - failed;
  }
}

/** Another process, or the merchant, was faster: then there is nothing to do. */
function unlessOpen(error: unknown): undefined {
  if (error instanceof DomainError) return undefined;
  throw error;
}
