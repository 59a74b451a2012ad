import { Poller, type PollerOptions } from '../../platform/jobs/poller.ts';
import { type CompareDependencies, compareNext } from './compare-uploads.ts';
import { type QueryDifferencesDependencies, queryMarkedDifferences } from './query-operator.ts';
import { reconciliationTimes } from './reconciliation.ts';
import { removeLines } from './statement-lines.ts';

interface WorkDependencies extends CompareDependencies, QueryDifferencesDependencies {
  /** Wakes the workers when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

const intervals = { minIntervalMs: 500, maxIntervalMs: 3_000 };
const hourMs = 3_600_000;
const removedAtOnce = 10;

/**
 * Compares statements, one at a time, queries operators about differences, and removes lines that are too old. Each
 * is a loop of its own: none waits for a comparison that takes minutes.
 */
export function reconciliationWorkers(dependencies: WorkDependencies) {
  const { clock, log, idleIntervalMs } = dependencies;
  const loop = (
    name: string,
    claim: (signal: AbortSignal) => Promise<number>,
    often: Pick<PollerOptions, 'minIntervalMs' | 'maxIntervalMs' | 'idleIntervalMs'> = {
      ...intervals,
      idleIntervalMs,
    },
  ) => new Poller({ name, clock, log, claim, ...often });
  return {
    comparisons: loop('reconciliations', (signal) => compareNext(dependencies, signal)),
    questions: loop('reconciliation questions', () => queryMarkedDifferences(dependencies)),
    lines: loop('reconciliation lines', () => removeOldLines(dependencies), {
      minIntervalMs: hourMs,
      maxIntervalMs: hourMs,
    }),
  };
}

/** @returns the number of statements whose lines were removed */
export const removeOldLines = ({ database, clock }: WorkDependencies): Promise<number> =>
  removeLines(database, clock.nowMs() - reconciliationTimes.linesKeptMs, removedAtOnce);
