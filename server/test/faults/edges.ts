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
    file: 'server/src/refunds/store.ts',
    find: "name: 'refunds.claim'",
    replace: "name: 'refunds.take'",
    test: claims,
  },
  {
    name: 'a replay is validated against the configuration of today',
    file: 'server/src/payments/create.ts',
    find: 'if (!payment) throw error;',
    replace: 'if (!payment || error) throw error;',
    test: 'server/test/flows/replays.test.ts',
  },
];
