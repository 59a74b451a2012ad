import type { Fault } from './list.ts';

const claims = 'server/test/claims.test.ts';

/** Faults of claims, replays, large sums and payouts. */
export const edgeFaults: Fault[] = [
  {
    name: 'a claim runs its limit again for each row',
    file: 'server/src/settlements/store.ts',
    find: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM settlements
  WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE settlements s SET due_at = $2
FROM due`,
    replace: `
UPDATE settlements s SET due_at = $2
FROM (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM settlements
  WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
) AS due`,
    test: claims,
  },
  {
    name: 'a claim is not in the list of claims',
    file: 'server/src/refunds/due-store.ts',
    find: "name: 'refunds.claim'",
    replace: "name: 'refunds.claim_due'",
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
    file: 'server/src/ledger/posting.ts',
    find: 'for (let left = netMinor; left > 0n; left -= maxPostingMinor) {',
    replace: 'for (let left = netMinor; left === netMinor; left -= maxPostingMinor) {',
    test: 'server/test/flows/large-sums.test.ts',
  },
  {
    name: 'debits of all merchants are tried again for one that cannot be booked',
    file: 'server/src/payments/advance.ts',
    find: '    ownerOf: ({ next }) => next.tenantId,\n',
    replace: '',
    test: 'server/src/payments/advance.test.ts',
  },
  {
    name: 'an owner that was refused stays among the others',
    file: 'server/src/platform/batching.ts',
    find: 'const lane = this.#apartLane(owner) ?? this.#common;',
    replace: 'const lane = this.#common;',
    test: 'server/src/platform/batching.test.ts',
  },
];
