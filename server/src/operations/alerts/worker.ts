import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import { remind } from '../notifying/remind.ts';
import { DatabaseWatch, type DatabaseWatchDependencies } from './database-down.ts';
import { type LookDependencies, lookForAlerts } from './evaluate-rules.ts';

/** As often as processes say what they have counted. */
const lookMs = 60_000;

/**
 * Looks at the alert rules, and at what lasts; what it finds, the workers of notices tell. Its turns follow a clock of
 * the process alone: that of the database is in doubt when the database does not answer, and that is to be told.
 */
export function alertWorker(
  dependencies: LookDependencies & DatabaseWatchDependencies & { log: Logger },
): Poller {
  const { clock, log, database, monotonicClock } = dependencies;
  const watch = new DatabaseWatch(dependencies);
  const claim = async () => {
    try {
      await lookForAlerts(dependencies);
      await remind(database, clock.nowMs());
      await watch.answered();
    } catch (error) {
      await watch.failed(error);
      throw error;
    }
    return 0;
  };
  const each = { minIntervalMs: lookMs, maxIntervalMs: lookMs };
  return new Poller({ name: 'alerts', clock: monotonicClock, log, claim, ...each });
}
