import type { Mutation } from './list.ts';

const idle = 'server/test/idle-statements.test.ts';
const watch = 'server/src/jobs/due-watch.test.ts';

/** Faults of a gateway that has nothing to do, and of how it hears that it has. */
export const idleMutations: readonly Mutation[] = [
  {
    name: 'idle: workers go on looking although a watch wakes them',
    file: 'server/src/app/compose/base.ts',
    find: 'idleIntervalMs: watchedIdleMs,',
    replace: 'idleIntervalMs: watchedIdleMs / 20,',
    test: idle,
  },
  {
    name: 'idle: whether anybody must hear of a notice is found out in a transaction',
    file: 'server/src/notifying/worker.ts',
    find: 'waiting.isUntold ? ',
    replace: 'waiting ? ',
    test: idle,
  },
  {
    name: 'idle: whether a record waits for a seal is found out in a transaction',
    file: 'server/src/audit/worker.ts',
    find: 'if (!(await hasUnsealed(dependencies.database))) return 0;',
    replace: 'await hasUnsealed(dependencies.database);',
    test: idle,
  },
  {
    name: 'idle: old rows are looked for again and again',
    file: 'server/src/people/sweep.ts',
    find: 'minIntervalMs: intervalMs, maxIntervalMs: intervalMs',
    replace: 'minIntervalMs: 1_000, maxIntervalMs: 10_000',
    test: idle,
  },
  {
    name: 'idle: the watch wakes nobody',
    file: 'server/src/jobs/due-watch.ts',
    find: 'if (dueAtMs !== null) wake[table](dueAtMs);',
    replace: 'if (dueAtMs === null) wake[table](0);',
    test: watch,
    only: 'is woken when the first',
  },
  {
    name: 'idle: the watch reads all that is due',
    file: 'server/src/jobs/due-watch.ts',
    find: 'min(due_at) AS',
    replace: "min(due_at + interval '0') AS",
    test: watch,
    only: 'reads one row',
  },
  {
    name: 'idle: one that others wake never rests',
    file: 'server/src/jobs/poller.ts',
    find: 'return idleIntervalMs;',
    replace: 'return maxIntervalMs;',
    test: 'server/src/jobs/poller.test.ts',
  },
];
