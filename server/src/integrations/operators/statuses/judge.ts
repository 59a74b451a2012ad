import {
  type LiveOperatorName,
  liveOperatorNames,
} from '../../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs } from '../../../platform/config/operator-settings.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { operatorStates } from '../health.ts';
import { changeStatus, listStatuses } from './store.ts';

export interface JudgeDependencies {
  database: Database;
  clock: Clock;
  config: { operators: OperatorConfigs };
}

/** The operators that are judged: those of live payments that are configured. */
export const judgedOperators = ({ operators }: JudgeDependencies['config']): LiveOperatorName[] =>
  liveOperatorNames.filter((name) => operators[name] !== undefined);

/** Stores the state of each operator by the rule that staff see, if it differs from the stored one. */
export async function judgeOperators(dependencies: JudgeDependencies): Promise<void> {
  const { database, clock, config } = dependencies;
  // Read before the evidence: what another process stores meanwhile rests on evidence as new as ours, and stays.
  const stored = await listStatuses(database);
  const states = await operatorStates({ database, clock }, judgedOperators(config));
  for (const { operator, state: status, sinceMs } of states) {
    const seen = stored.find((each) => each.operator === operator);
    // Without a row, it has never been anything but UP.
    if ((seen?.status ?? 'UP') === status) continue;
    await changeStatus(database, {
      operator: operator as LiveOperatorName,
      status,
      sinceMs: sinceMs ?? clock.nowMs(),
      seenVersion: seen?.version ?? 0,
    });
  }
}
