import type { Mutation } from './list.ts';

const across = 'server/src/doctor/across-cells.ts';
const doctor = 'server/src/cli/doctor/cells.long.test.ts';
const scheduled = 'server/src/cli/cells/scheduled-backup.long.test.ts';
const notices = 'server/test/cells/notices.test.ts';
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
  {
    name: 'watched cells: doctor says that all is well of a cell that it has not looked at',
    file: across,
    find: "if (leftOut.length === 0 || finding.status !== 'ok')",
    replace: "if (leftOut.length >= 0 || finding.status !== 'ok')",
    test: doctor,
  },
  {
    name: 'watched cells: doctor sends whoever lacks the secret key to PostgreSQL',
    file: 'server/src/cli/doctor/cells.ts',
    find: 'if (isOfDatabase(error)) throw error;',
    replace: 'throw error;',
    test: doctor,
  },
  {
    name: 'watched cells: doctor is silent about cells while the home lacks migrations',
    file: 'server/src/cli/doctor/cells.ts',
    find: 'if (!isOfUse) return tellOfUnseen(tell, config, url);',
    replace: 'if (!isOfUse) return;',
    test: doctor,
  },
  {
    name: 'watched cells: the checklist for live money looks for keys in the home alone',
    file: 'server/src/doctor/live-data-checks.ts',
    find: '...further.map((cell) => cell.database)',
    replace: '',
    test: doctor,
  },
  {
    name: 'watched cells: a cell without a backup is ready for live money',
    file: 'server/src/cli/doctor/live.ts',
    find: 'await runAll(tell, groupOf(cell),',
    replace: 'await runAll(() => {}, groupOf(cell),',
    test: doctor,
  },
  {
    name: 'watched cells: a cell that was not looked at is ready for live money',
    file: 'server/src/cli/doctor/live.ts',
    find: 'opened.filter((_, index) => !areWell[index])',
    replace: 'opened.filter(() => false)',
    test: doctor,
  },
  {
    name: 'watched cells: a merchant that nobody moves is no finding of doctor',
    file: across,
    find: 'AS id WHERE NOT ${',
    replace: 'AS id WHERE ${',
    test: doctor,
  },
  {
    name: 'watched cells: the doctor of a running gateway says nothing of all cells together',
    file: 'server/src/app/compose/system.ts',
    find: 'allCells: base.cells?.all',
    replace: 'allCells: undefined',
    test: 'server/test/cells/doctor.test.ts',
  },
  {
    name: 'watched cells: the worker of each cell backs up all of them',
    file: 'server/src/app/compose/backups.ts',
    find: 'cell: base.cells?.own',
    replace: 'cell: undefined',
    test: scheduled,
  },
  {
    name: 'watched cells: backups of two cells are tried in one place',
    file: 'server/src/backup/run.ts',
    find: 'withTemporaryDatabase(embeddedIn, verify, cell)',
    replace: 'withTemporaryDatabase(embeddedIn, verify)',
    test: scheduled,
  },
  {
    name: 'watched cells: a backup of the home alone looks like that of an only cell',
    file: 'server/src/cli/make-backup.ts',
    find: 'run({ url: chosen.url, cell: chosen.name })',
    replace: 'run({ url: chosen.url, cell: chosen.name === homeName ? undefined : chosen.name })',
    test: 'server/src/cli/cells/backup.long.test.ts',
    only: 'the file of each cell says whose it is',
  },
  {
    name: 'watched cells: a mail says that no payment makes progress, and one cell of five is away',
    file: 'server/src/notifying/alert-words.ts',
    find: 'cell === undefined ? title : `${title} (cell ${cell})`',
    replace: 'title',
    test: 'server/src/alerts/database-down.test.ts',
  },
  {
    name: 'watched cells: a webhook does not say of which cell an outage is',
    file: 'server/src/alerts/database-down.ts',
    find: '...(cell !== undefined && { cell }),',
    replace: '',
    test: 'server/src/alerts/database-down.test.ts',
  },
  {
    name: 'watched cells: an alert does not say in which cell it holds',
    file: 'server/src/app/compose/notices.ts',
    find: 'cell: cells?.own',
    replace: 'cell: undefined',
    test: notices,
  },
  {
    name: 'watched cells: of two cells that see the same at once, one is heard',
    file: 'server/src/notifying/post.ts',
    find: "cell === undefined ? '' : ` of ${cell}`",
    replace: "''",
    test: notices,
  },
  {
    name: 'watched cells: a mail of several cells does not say which',
    file: 'server/src/notifying/notice-mail.ts',
    find: '({ ...notice, cell: address.cell })',
    replace: '({ ...notice })',
    test: notices,
  },
  {
    name: 'watched cells: the console does not say in which cell an alert holds',
    file: 'server/src/console/parts/notices.ts',
    find: 'const worded = { ...notice, cell };',
    replace: 'const worded = { ...notice, cell: undefined };',
    test: notices,
  },
];
