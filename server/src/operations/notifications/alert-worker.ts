import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import { type DatabaseOutageDependencies, DatabaseOutageWatch } from './database-outage.ts';
import { type EvaluateRulesDependencies, evaluateAlertRules } from './evaluate-alert-rules.ts';
import { sendReminders } from './send-reminders.ts';

/** The interval at which processes report their counters. */
const evaluationIntervalMs = 60_000;

/**
 * Evaluates the alert rules and sends reminders; the notice workers send the notices that it writes. It runs on the
 * process's monotonic clock, because an outage of the database, whose clock other workers use, must be reported too.
 */
export function alertWorker(
  dependencies: EvaluateRulesDependencies & DatabaseOutageDependencies & { log: Logger },
): Poller {
  const { clock, log, database, monotonicClock } = dependencies;
  const watch = new DatabaseOutageWatch(dependencies);
  const claim = async () => {
    try {
      await evaluateAlertRules(dependencies);
      await sendReminders(database, clock.nowMs());
      await watch.recordSuccess();
    } catch (error) {
      await watch.recordFailure(error);
      throw error;
    }
    return 0;
  };
  const each = { minIntervalMs: evaluationIntervalMs, maxIntervalMs: evaluationIntervalMs };
  return new Poller({ name: 'alerts', clock: monotonicClock, log, claim, ...each });
}
