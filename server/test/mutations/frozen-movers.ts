import type { Mutation } from './list.ts';

const lost = { test: 'server/src/cells/move/lost.long.test.ts' };
const frozen = { test: 'server/src/cells/move/frozen.long.test.ts' };
const inTheWay = { test: 'server/src/cells/move/in-the-way.test.ts' };

/** What works on rows of all merchants, and the condition by which it leaves out what has left. */
const left: readonly [what: string, file: string, find: string][] = [
  ['approvals end', 'approvals/store.ts', ` AND \${isOfServed('tenant_id')} ORDER BY expires_at`],
  ['notices are told', 'notifying/tell.ts', ` AND \${isOfServedOrNobody('n.tenant_id')} ORDER BY`],
  [
    'mails are made',
    'notifying/gather.ts',
    ` AND \${isOfServedOrNobody('tenant_id')} ORDER BY mail`,
  ],
  ['notices end', 'notifying/over.ts', ` AND \${isOfServedOrNobody('tenant_id')}\n`],
  ['people are reminded', 'notifying/remind.ts', `\n    AND \${isOfServedOrNobody('tenant_id')}\n`],
  ['totals are added up', 'totals/fold.ts', ` WHERE \${isNotOfMoved('tenant_id')} LIMIT`],
];

/** Faults of movers that are frozen or forgotten, and of what a merchant that has left keeps from others. */
export const frozenMoverMutations: readonly Mutation[] = [
  {
    name: 'movers: the rows of a merchant are looked for in all of a large table',
    file: 'server/src/cells/move/indexes.ts',
    find: 'if ((await bytesOf(client, schema, shape)) < atLeastBytes) continue;',
    replace: 'continue;',
    test: 'server/src/cells/move/move.test.ts',
    only: 'a large table',
  },
  {
    name: 'movers: the index of a move stays',
    file: 'server/src/cells/move/added.ts',
    find: `format('DROP INDEX IF EXISTS %s', n.oid::regclass)`,
    replace: `format('SELECT %L', n.oid::regclass)`,
    test: 'server/src/cells/move/move.test.ts',
    only: 'a large table',
  },
  {
    ...frozen,
    name: 'movers: one that is frozen keeps a mark locked',
    file: 'server/src/cells/move/marks.ts',
    find: '        await transaction.query({ text: idleText });\n',
    replace: '',
    only: 'changes a mark',
  },
  {
    ...frozen,
    name: 'movers: one that is frozen keeps a table locked',
    file: 'server/src/postgres/lock-timeouts.ts',
    find: '    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`);\n',
    replace: '',
    only: 'changes a table',
  },
  {
    name: 'movers: an old run takes the check of the next one away',
    file: 'server/src/cells/move/added.ts',
    find: '        await confirm?.(client, schema);\n',
    replace: '',
    test: 'server/src/cells/move/triggers.test.ts',
    only: 'takes no check of another away',
  },
  {
    ...lost,
    name: 'movers: a merchant leaves a cell that has lost a check of its writes',
    file: 'server/src/cells/move/move.ts',
    find: '    await refuseUnchecked(transaction, shapes, journey);\n',
    replace: '',
    only: 'has lost a check',
  },
  {
    ...lost,
    name: 'movers: a merchant goes to a cell that was migrated meanwhile',
    file: 'server/src/cells/move/move.ts',
    find: '  await refuseMigrated(to.database, to.name, found.migrations);\n',
    replace: '',
    only: 'that it comes to was migrated',
  },
  {
    ...lost,
    name: 'movers: a merchant is taken back from where it has gone, mark and all',
    file: 'server/src/cells/move/marks.ts',
    find: 'return (await ownerIn({ database: transaction }, merchantId)) !== undefined;',
    replace: 'return true;',
    only: 'mark and all',
  },
  {
    ...lost,
    name: 'movers: a mark after the last run that the home knows is left alone',
    file: 'server/src/cells/move/left.ts',
    find: 'told.moveId <= moveId',
    replace: 'told.moveId === moveId',
    only: 'an earlier one of the merchant not',
  },
  {
    ...lost,
    name: 'movers: a run after the last one that the home knows is not noted again',
    file: 'server/src/cells/move/home.ts',
    find: 'cell_moves.move_id <= excluded.move_id',
    replace: 'cell_moves.move_id = excluded.move_id',
    only: 'an earlier one of the merchant not',
  },
  {
    ...lost,
    name: 'movers: what is due waits for a backup',
    file: 'server/src/cells/move/finish.ts',
    find: '  const shapes = await shapesOf(from.database);\n  await from.database.transaction(',
    replace:
      '  await dropAdded(from.url, move);\n  const shapes = await shapesOf(from.database);\n  await from.database.transaction(',
    only: 'although a backup is made',
  },
  ...left.map(([what, file, find]) => ({
    ...inTheWay,
    name: `left rows: ${what} of nobody, while somebody has left`,
    file: `server/src/${file}`,
    find,
    replace: find.replace(/(AND|WHERE) \$\{\w+\('[\w.]+'\)\}/, '$1 true'),
  })),
];
