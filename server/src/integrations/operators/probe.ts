import {
  type LiveOperatorName,
  liveOperatorNames,
} from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Health } from './adapter.ts';
import type { AdapterOf } from './load-adapters.ts';

export interface CheckOperatorDependencies {
  /** The operators that are configured. */
  operators: OperatorConfigs;
  adapterOf: AdapterOf;
  clock: Clock;
  /** A real clock, which tests do not set. */
  monotonicClock: Clock;
}

/** An operator's report on itself. */
export interface ProbeResult extends Health {
  operator: LiveOperatorName;
}

/**
 * Calls an operator: availability, latency, balance of our account. Moves no money.
 * @throws NOT_FOUND it is not configured
 */
export type AskOperator = (operator: string) => Promise<ProbeResult>;

/** Requests during a call, or within this time after it, share its answer: no operator is called more often. */
const sharedMs = 5_000;

export function makeAskOperator(dependencies: CheckOperatorDependencies): AskOperator {
  const { operators, adapterOf, clock, monotonicClock } = dependencies;
  const shared = new Map<LiveOperatorName, { untilMs: number; answer: Promise<ProbeResult> }>();
  return async (given) => {
    const operator = liveOperatorNames.find((name) => name === given);
    const settings = operator && operators[operator];
    if (!operator || !settings) throw notFound('operator that is configured');
    const last = shared.get(operator);
    if (last !== undefined && monotonicClock.nowMs() < last.untilMs) return last.answer;
    const answer = adapterOf[operator]
      .probe(settings, clock)
      .then((health) => ({ operator, ...health }))
      .finally(() => {
        asked.untilMs = monotonicClock.nowMs() + sharedMs;
      });
    const asked = { untilMs: Number.POSITIVE_INFINITY, answer };
    shared.set(operator, asked);
    return answer;
  };
}
