import { type ClaimedRow, dueRows, type Taking } from '../../integrations/operators/due-rows.ts';
import type { Addressed } from '../../integrations/operators/queue.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { holdsSql, type Permission, rolesWith } from '../../tenants/people/permissions.ts';
import type { Disbursement, Obstacle } from './disbursement.ts';
import { disbursementColumns, findByReference } from './store.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DueDisbursement = Disbursement & Addressed;

const due = dueRows<Disbursement>({
  table: 'disbursements',
  columns: disbursementColumns,
  bytes: 'coalesce(octet_length(metadata), 0)',
  isVersioned: true,
});

export const {
  claim: claimDueDisbursements,
  take: takeDisbursement,
  renew: renewDisbursement,
  markByHand: markDisbursementByHand,
} = due;

/** {@link takeDisbursement} by the name at the operator. */
export async function takeByReference(
  database: Queryable,
  taking: Taking,
): Promise<ClaimedRow<Disbursement> | undefined> {
  const found = await findByReference(database, taking.tenantId, taking.id);
  return found && takeDisbursement(database, { ...taking, id: found.id });
}

// A merchant's test key may have been made before there was the permission, which it has all the same.
const authorStatement = prepare({
  name: 'disbursements.author',
  given: { tenantId: 'uuid', id: 'uuid' },
  text: (given) => `
SELECT CASE
  WHEN m.suspended_at IS NOT NULL THEN 'SUSPENDED'
  WHEN t.mode = 'live' AND NOT m.disbursements_allowed THEN 'MERCHANT'
  WHEN d.created_by_key IS NOT NULL AND NOT EXISTS (
    SELECT FROM api_keys k
    WHERE k.tenant_id = d.tenant_id AND k.id = d.created_by_key AND k.revoked_at IS NULL
      AND (t.mode = 'test' OR 'disbursements:write' = ANY (k.permissions))) THEN 'KEY'
END AS obstacle
FROM disbursements d
JOIN tenants t ON t.id = d.tenant_id
JOIN merchants m ON m.id = t.merchant_id
WHERE d.tenant_id = ${given.tenantId} AND d.id = ${given.id}`,
});

const merchantStatement = rowQuery<{ merchantId: string }, [tenantId: string]>({
  name: 'disbursements.merchant',
  text: 'SELECT merchant_id AS "merchantId" FROM tenants WHERE id = $1',
});

/** Whether a person may disburse for the merchant. */
const memberStatement = rowQuery<
  { one: number },
  [merchantId: string, personId: string, roles: readonly string[], permissions: readonly string[]]
>({
  name: 'memberships.may_disburse',
  text: `
SELECT 1 AS one FROM memberships m
WHERE m.merchant_id = $1 AND m.person_id = $2 AND ${holdsSql('$3::text[]', '$4::text[]')}`,
});
const mayDisburse: Permission[] = ['disbursements.create'];

/**
 * Why its merchant or its author may no longer disburse: the key that created it, or the person, who must still be a
 * member with that permission. Null: they may.
 * @param home the database of people
 */
export async function findObstacle(
  { database, home }: { database: Queryable; home: Queryable },
  disbursement: Disbursement,
): Promise<Obstacle | null> {
  const [found] = await authorStatement.run<{ obstacle: Obstacle | null }>(database, disbursement);
  if (!found) throw new Error('a disbursement is gone');
  const { tenantId, createdByPerson } = disbursement;
  if (found.obstacle !== null || createdByPerson === null) return found.obstacle;
  const { merchantId } = (await merchantStatement(database, tenantId))!;
  const given = [merchantId, createdByPerson, rolesWith(mayDisburse), mayDisburse] as const;
  return (await memberStatement(home, ...given)) === undefined ? 'PERSON' : null;
}

const rescheduleStatement = prepare({
  name: 'disbursements.reschedule',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    version: 'integer',
    leaseMs: 'timestamptz',
    dueAtMs: 'timestamptz',
    sentAtMs: 'timestamptz',
    queries: 'integer',
  },
  text: (given) => `
UPDATE disbursements SET due_at = ${given.dueAtMs}, sent_at = ${given.sentAtMs}, asking_until = NULL,
  ask_count = ask_count + ${given.queries}
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version}
  AND ${isUnderLease('due_at', given.leaseMs)}
RETURNING id`,
});

/**
 * Sets when a disbursement needs attention next (null: never), and whether a request for it may have left, under the
 * lease that it is held with. False if the lease had passed to another worker.
 * @param isQuery counts for the interval until the next query
 */
export async function rescheduleDisbursement(
  database: Queryable,
  disbursement: Disbursement,
  plan: Pick<Disbursement, 'dueAtMs' | 'sentAtMs'>,
  isQuery = true,
): Promise<boolean> {
  const given = { ...disbursement, ...plan, leaseMs: disbursement.dueAtMs };
  const rows = await rescheduleStatement.run(database, { ...given, queries: isQuery ? 1 : 0 });
  return rows.length > 0;
}
