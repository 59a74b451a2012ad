import type { Figures } from '../figures.ts';
import type { Plan } from '../plan.ts';

/** Report the machine if it is this much slower than at its fastest. */
const noticeable = 1.1;

/** Reasons to doubt the figures, in sentences. */
export function doubtsOf(
  runs: readonly Figures[],
  { hasPgbench }: Pick<Plan, 'hasPgbench'>,
): string[] {
  return [
    ...slowRuns(runs),
    ...runs.flatMap((run) =>
      [...run]
        .filter(([name]) => name.endsWith('.unfinished'))
        .map(
          ([name, count]) =>
            `${name}: ${count} requests were not complete 15 seconds after the load.`,
        ),
    ),
    ...(hasPgbench ? [] : ['pgbench was not found: there are no ratios to PostgreSQL.']),
  ];
}

/** The same work takes the same time on the same machine, unless other programs use it. */
function slowRuns(runs: readonly Figures[]): string[] {
  const times = runs.flatMap((run, index) =>
    ['before', 'after'].flatMap((when) => {
      const ms = run.get(`calibration.${when}Ms`);
      return ms === undefined ? [] : [{ when, run: index + 1, ms }];
    }),
  );
  const fastest = Math.min(...times.map(({ ms }) => ms));
  return times
    .filter(({ ms }) => ms > fastest * noticeable)
    .map(({ when, run, ms }) => {
      const percent = Math.round((ms / fastest - 1) * 100);
      return `The machine was ${percent} % slower ${when} run ${run} than at its fastest: the same work took ${Math.round(ms)} ms instead of ${Math.round(fastest)} ms.`;
    });
}
