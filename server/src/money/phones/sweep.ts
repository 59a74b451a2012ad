import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { removeOldPrompts } from './store.ts';

const intervalMs = 3_600_000;
const batchSize = 1_000;

/** Forgets a phone's prompts when its day is over, whatever else is retained. */
export function promptSweep(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
}): Poller {
  const { database, clock, log } = dependencies;
  const claim = () => removeOldPrompts(database, clock.nowMs(), batchSize);
  return new Poller({
    name: 'phone prompts',
    clock,
    log,
    claim,
    minIntervalMs: intervalMs,
    maxIntervalMs: intervalMs,
  });
}
