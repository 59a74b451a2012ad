import type { LiveOperators } from '../integrations/operators/live-operators.ts';
import type { ProcessOperatorStates } from '../integrations/operators/measurements/store.ts';
import { operatorQueuesOf } from '../integrations/operators/queue.ts';
import type { Config } from '../platform/config/config.ts';
import type { LiveOperatorName } from '../platform/config/operator-catalogue.ts';

interface Dependencies extends Pick<Config, 'role' | 'operators'>, Pick<LiveOperators, 'pauses'> {
  /** A worker with rows in memory for operators. */
  lines: readonly { waitingIn(queue: string): number }[];
}

/** This process's current knowledge of each operator; an API process calls none. */
export function operatorsOfProcess({
  role,
  operators,
  pauses,
  lines,
}: Dependencies): ProcessOperatorStates {
  if (role === 'api') return {};
  const current = pauses();
  return Object.fromEntries(
    operatorQueuesOf(operators).map((name) => {
      const waiting = lines.reduce((sum, line) => sum + line.waitingIn(name), 0);
      return [name, { pause: current[name as LiveOperatorName] ?? null, waiting }];
    }),
  );
}
