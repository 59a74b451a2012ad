import type { Logger } from 'pino';
import { Poller } from '../../../platform/jobs/poller.ts';
import { type AnnounceDependencies, announceStatuses } from './announce.ts';
import { type JudgeDependencies, judgedOperators, judgeOperators } from './judge.ts';

export interface StatusWorkerDependencies extends JudgeDependencies, AnnounceDependencies {
  log: Logger;
  /** The interval between looks, in milliseconds. */
  statusLookMs: number;
}

/** Judges the operators, and announces what has changed; none without an operator of live payments. */
export function statusWorkers(dependencies: StatusWorkerDependencies): Poller[] {
  const { clock, log, config, statusLookMs } = dependencies;
  if (judgedOperators(config).length === 0) return [];
  const claim = async () => {
    await judgeOperators(dependencies);
    await announceStatuses(dependencies);
    return 0;
  };
  const intervals = { minIntervalMs: statusLookMs, maxIntervalMs: statusLookMs };
  return [new Poller({ name: 'operator statuses', clock, log, claim, ...intervals })];
}
