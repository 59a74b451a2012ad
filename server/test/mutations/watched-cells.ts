import type { Mutation } from './list.ts';

const left = { test: 'server/src/cells/moves-left.test.ts' };

/** Faults of what looks after several cells: figures, alerts, doctor, scheduled backups. */
export const watchedCellMutations: readonly Mutation[] = [
  {
    name: 'watched cells: a merchant that is being moved is told of as left',
    file: 'server/src/cells/move/lock.ts',
    find: "hashtextextended('move ' ||",
    replace: "hashtextextended('moves ' ||",
    ...left,
  },
  {
    name: 'watched cells: one that nobody works on any more goes unnoticed once its requests wait',
    file: 'server/src/cells/moves-left.ts',
    find: "WHERE state <> 'DONE' AND",
    replace: "WHERE state = 'COPYING' AND",
    ...left,
  },
  {
    name: 'watched cells: no mail tells of a merchant between two cells',
    file: 'server/src/alerts/figures.ts',
    find: 'left.length === 0',
    replace: 'left.length > 0',
    test: 'server/src/alerts/alerts.test.ts',
  },
  {
    name: 'watched cells: Prometheus is not told of a merchant between two cells',
    file: 'server/src/app/database-gauges.ts',
    find: '...(movesLeft ?',
    replace: '...(!movesLeft ?',
    test: 'server/test/cells/operation.long.test.ts',
    only: 'figures and alerts tell of merchants whose move no gateway can finish',
  },
];
