import type { Mutation } from './list.ts';

const claims = 'server/test/claims.test.ts';
const payouts = 'server/src/settlements/pay.test.ts';

/** Faults of claims, replays, large sums and payouts. */
export const edgeMutations: Mutation[] = [
  {
    name: 'a claim runs its limit again for each row',
    file: 'server/src/jobs/claim.ts',
    find: `FROM weighed
WHERE`,
    replace: `FROM (
  SELECT \${dueKey}, \${bytes} AS bytes, 0 AS bytes_before, 0 AS bytes_of_tenant_before
  FROM \${table} r
  WHERE due_at <= \${given.nowMs} AND \${where(given)}
  ORDER BY \${order} LIMIT \${given.limit} FOR UPDATE SKIP LOCKED
) AS weighed
WHERE`,
    test: claims,
  },
  {
    name: 'a claim is not in the list of claims',
    file: 'server/src/refunds/lease-store.ts',
    find: "table: 'refunds'",
    replace: "table: 'refunds '",
    test: claims,
  },
  {
    name: 'a replay is validated against the configuration of today',
    file: 'server/src/payments/create.ts',
    find: 'if (!payment) throw error;',
    replace: 'if (!payment || error) throw error;',
    test: 'server/test/flows/replays.test.ts',
  },
  {
    name: 'balances overflow',
    file: 'server/migrations/0010-sums-of-any-size.sql',
    find: 'ALTER TABLE balances ALTER COLUMN balance_minor TYPE numeric(39, 0);',
    replace: '',
    test: 'server/test/flows/large-sums.test.ts',
  },
  {
    name: 'the rest of a large payout is not posted',
    file: 'server/src/ledger/postings.ts',
    find: 'for (let left = netMinor; left > 0n; left -= maxPostingMinor) {',
    replace: 'for (let left = netMinor; left === netMinor; left -= maxPostingMinor) {',
    test: 'server/test/flows/large-sums.test.ts',
  },
  {
    name: 'debits of all merchants are tried again for one that cannot be booked',
    file: 'server/src/payments/transition.ts',
    find: '    ownerOf: ({ next }) => next.tenantId,\n',
    replace: '',
    test: 'server/src/payments/transition.test.ts',
  },
  {
    name: 'an owner that was refused stays among the others',
    file: 'server/src/jobs/batcher.ts',
    find: 'const queue = this.#apartQueue(owner) ?? this.#common;',
    replace: 'const queue = this.#common;',
    test: 'server/src/jobs/batcher.test.ts',
  },
  {
    name: 'a payout leaves without a compare-and-set',
    file: 'server/src/settlements/store.ts',
    find: `AND version = \${given.seenVersion}
    AND (\${given.leaseMs} IS NULL OR due_at = \${given.leaseMs})`,
    replace: `AND \${given.seenVersion} > 0 AND (\${given.leaseMs} IS NULL OR true)`,
    test: payouts,
  },
  {
    name: 'a payout leaves under the lease of another',
    file: 'server/src/settlements/store.ts',
    find: `OR due_at = \${given.leaseMs})`,
    replace: 'OR true)',
    test: payouts,
  },
  {
    name: 'a payout that took too long still counts',
    file: 'server/src/settlements/pay.ts',
    find: '() => !isOver && clock.nowMs() < row.dueAtMs!',
    replace: '() => true',
    test: payouts,
  },
  {
    name: 'nobody looks whose the payout is once it was written',
    file: 'server/src/settlements/pay.ts',
    find: `if (now?.status !== 'FAILED') return;`,
    replace: 'if (now) return;',
    test: payouts,
  },
  {
    name: 'a settlement is failed while its payout is handed over',
    file: 'server/src/settlements/finish.ts',
    find: 'dueAtMs > clock.nowMs()',
    replace: 'dueAtMs < 0',
    test: payouts,
  },
  {
    name: 'a payout that cannot be written can never be failed',
    file: 'server/src/settlements/finish.ts',
    find: 'isLeased && payoutError === null',
    replace: 'isLeased',
    test: payouts,
  },
  {
    name: 'a payout that hangs is waited for',
    file: 'server/src/settlements/pay.ts',
    find: 'await Promise.race([handedOver(), tooLong]);',
    replace: 'void tooLong.catch(() => {}), await handedOver();',
    test: payouts,
    only: 'a payout that never ends',
  },
  {
    name: 'payouts and tellings share a queue',
    file: 'server/src/settlements/store.ts',
    find: `(status = 'COMPLETED') = \${given.isCompleted}`,
    replace: `\${given.isCompleted} IS NOT NULL`,
    test: 'server/src/settlements/worker.test.ts',
  },
  {
    name: 'the file of a settlement that FAILED stays where the bank looks for it',
    file: 'server/src/settlements/payout-file.ts',
    find: '.failed`',
    replace: '`',
    test: 'server/test/operators/settlement-commands.long.test.ts',
  },
  {
    name: 'edges: a connection in reserve gets an answer that nobody asked for',
    file: 'server/src/http/refused-connection.ts',
    find: 'const isUnused = socket.bytesRead === 0;',
    replace: 'const isUnused = false;',
    test: 'server/src/http/connection.test.ts',
    only: 'a connection on which nothing is asked ends without a word',
  },
];
