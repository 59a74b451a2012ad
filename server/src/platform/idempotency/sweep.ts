import type { Logger } from 'pino';
import { Poller } from '../jobs/poller.ts';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { removeOldActKeys } from './store.ts';

const keptMs = 30 * 86_400_000;
const intervalMs = 3_600_000;
const batchSize = 1_000;

/** Keys of acts are forgotten after 30 days, whatever else is kept. */
export function actKeySweep(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
}): Poller {
  const { database, clock, log } = dependencies;
  const claim = () => removeOldActKeys(database, clock.nowMs() - keptMs, batchSize);
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  return new Poller({ name: 'act keys', clock, log, claim, ...intervals });
}
