import type { Logger } from 'pino';
import { Poller } from '../jobs/poller.ts';
import { remind } from '../notifying/remind.ts';
import { type LookDependencies, lookForAlerts } from './look.ts';

/** As often as processes say what they have counted. */
const lookMs = 60_000;

/** Looks at the alert rules, and at what lasts; what it finds, the workers of notices tell. */
export function alertWorker(dependencies: LookDependencies & { log: Logger }): Poller {
  const { clock, log } = dependencies;
  const claim = async () => {
    await lookForAlerts(dependencies);
    await remind(dependencies.database, clock.nowMs());
    return 0;
  };
  const each = { minIntervalMs: lookMs, maxIntervalMs: lookMs };
  return new Poller({ name: 'alerts', clock, log, claim, ...each });
}
