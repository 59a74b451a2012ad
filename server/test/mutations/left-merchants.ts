import type { Mutation } from './list.ts';

const writes = { test: 'server/test/cells/left-merchant.test.ts' };
const inHand = { test: 'server/test/operators/left-merchant.test.ts' };
const move = { test: 'server/src/cells/move/left-behind.long.test.ts' };

/** Faults of what a cell does for a merchant that has left it. */
export const leftMerchantMutations: readonly Mutation[] = [
  {
    ...writes,
    name: 'left: what is of a merchant that has left is written',
    file: 'server/src/postgres/tenant-here.ts',
    find: `CASE count(*) WHEN 0 THEN '\${absence}' ELSE`,
    replace: `CASE count(*) WHEN 0 THEN 'true' ELSE`,
  },
  {
    ...writes,
    name: 'left: a refused write is a fault of ours',
    file: 'server/src/postgres/transient.ts',
    find: 'code === movingState || isGone || isMoving(cause)',
    replace: 'code === movingState || isMoving(cause)',
  },
  {
    ...writes,
    name: 'left: a payment is created where its merchant has left',
    file: 'server/src/payments/store.ts',
    find: ` WHERE \${requireTenant('given.tenant_id', hasNoSealedKey)}`,
    replace: '',
  },
  {
    ...writes,
    name: 'left: requests of a merchant that has left are logged where it was',
    file: 'server/src/api-requests/store.ts',
    find: ` WHERE \${hasTenant('given.tenant_id')}`,
    replace: '',
  },
  {
    name: 'left: a statement forgets to ask for the merchant',
    file: 'server/src/products/store.ts',
    find: `WHERE \${requireTenant('given.tenant_id')}\n`,
    replace: '',
    test: 'server/test/cells/guarded-inserts.test.ts',
  },
  {
    ...inHand,
    name: 'left: a callback whose merchant has left is looked into',
    file: 'server/src/callbacks/handle.ts',
    find: `  if (!(await isTenantHere(dependencies.database, callback.tenantId))) return;\n`,
    replace: '',
  },
  {
    ...inHand,
    name: 'left: a late debit is given back by both cells',
    file: 'server/src/reversals/store.ts',
    find: ` WHERE \${requireTenant('given.tenant_id')}`,
    replace: '',
  },
  {
    name: 'left: a payout is taken back because its settlement has moved',
    file: 'server/src/settlements/pay.ts',
    find: `if (now?.status !== 'FAILED') return;`,
    replace: `if (now && now.status !== 'FAILED') return;`,
    test: 'server/src/settlements/pay.test.ts',
  },
  {
    ...move,
    name: 'left: a move removes what was written after the merchant had left',
    file: 'server/src/cells/move/left-behind.ts',
    find: 'if (Object.keys(counts).length === 0) return;',
    replace: 'if (Object.keys(counts).length >= 0) return;',
  },
  {
    ...move,
    name: 'left: what is on its way is told of as left behind',
    file: 'server/src/cells/left-rows.ts',
    find: 'if (merchantId === null || !elsewhere.has(merchantId)) add',
    replace: 'add',
  },
  {
    ...move,
    name: "left: the copy takes over another merchant's booking",
    file: 'server/src/cells/move/rows.ts',
    find: '`UPDATE SET ${set} WHERE ${isOwn}`',
    replace: '`UPDATE SET ${set}`',
  },
  {
    ...move,
    name: "left: a change that is copied removes another merchant's booking",
    file: 'server/src/cells/move/rows.ts',
    find: 'WHERE ${sameKey(shape)} AND t.${shape.owner.column} = ANY ($2::uuid[])`;\n  await',
    replace: 'WHERE ${sameKey(shape)} AND $2::uuid[] IS NOT NULL`;\n  await',
  },
  {
    ...move,
    name: 'left: the mark goes before those who have seen the rows are done',
    file: 'server/src/cells/move/finish.ts',
    find: `  await dropAdded(from.url, move);
  await requireRemoved(`,
    replace: '  await requireRemoved(',
  },
  {
    ...writes,
    name: 'left: a gateway that has not heard of it answers from what is left',
    file: 'server/src/merchants/authenticate.ts',
    find: 'if (found.isAway) throw movingAway();',
    replace: '',
  },
];
