import { claimStatement } from '../../platform/jobs/claim.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import { isAllowed, requireTransition, statusesBefore } from '../../platform/values/transitions.ts';
import {
  holdsSql,
  type Permission,
  type Role,
  rolesWith,
} from '../../tenants/people/permissions.ts';
import { mailbox } from '../../tenants/people/person.ts';
import { type StaffRole, staffCan, staffRoles } from '../../tenants/people/staff-permissions.ts';
import {
  type Approval,
  type ApprovalKind,
  type ApprovalStatus,
  approvalKinds,
  approvalTransitions,
  type Requester,
} from './approval.ts';

const approvals = table<Approval>({
  tenantId: 'uuid',
  id: 'uuid',
  kind: 'text',
  status: 'text',
  subjectId: 'uuid',
  subjectState: 'text',
  request: 'text',
  askedBy: 'uuid',
  askedAtMs: 'timestamptz',
  expiresAtMs: 'timestamptz',
  decidedBy: 'uuid',
  decidedAtMs: 'timestamptz',
  dueAtMs: 'timestamptz',
  endedAtMs: 'timestamptz',
  resultId: 'uuid',
  failure: 'text',
  tryCount: 'integer',
  remark: 'text',
});

const { columns } = approvals;
/** The same for a table `a` in a join. */
export const approvalColumns = columns.replace(/(^|, )(\w+)/g, '$1a.$2');
const newApprovals = approvals.rowsWithout(
  'status',
  'decidedBy',
  'decidedAtMs',
  'dueAtMs',
  'endedAtMs',
  'resultId',
  'failure',
  'tryCount',
  'remark',
);

/** A person's identities at the single sign-on provider, as their sessions name them. */
const identitiesOf = (person: string) =>
  `SELECT i.issuer || ' ' || i.subject FROM identities i WHERE i.person_id = ${person}`;

/** Whether a person `p`, signed in with an identity, is the requester of `a`, by any account. */
export const isAsker = (
  identity: string,
) => `(a.asked_by = p.id OR ${mailbox('a.asked_mailbox')} = ${mailbox('p.email')}
    OR (a.asked_identity IS NOT NULL AND (a.asked_identity IS NOT DISTINCT FROM ${identity}
      OR a.asked_identity IN (${identitiesOf('p.id')}))))`;

const insertStatement = prepare({
  name: 'approvals.insert',
  given: { approvals: newApprovals, identity: 'text' },
  text: (given) => `
INSERT INTO approvals (${newApprovals.names}, status, asked_mailbox, asked_identity)
SELECT ${newApprovals.names.replace(/(\w+)/g, 'given.$1')}, 'PENDING', ${mailbox('p.email')},
  coalesce(${given.identity}, (${identitiesOf('p.id')} ORDER BY i.created_at LIMIT 1))
FROM ${given.approvals} JOIN people p ON p.id = given.asked_by
ON CONFLICT DO NOTHING
RETURNING id`,
});

/** False if it exists already. */
export async function insertApproval(
  transaction: Queryable,
  approval: Approval,
  { identity }: Requester,
): Promise<boolean> {
  const given = { approvals: [approval], identity };
  return (await insertStatement.run(transaction, given)).length > 0;
}

/** Whether a person may do it now: as a member of the merchant, or as staff. */
const may = (person: string, merchantRoles: string, permissions: string, staff: string) => `(
    EXISTS (
      SELECT 1 FROM memberships m JOIN tenants t ON t.merchant_id = m.merchant_id
      JOIN people who ON who.id = m.person_id AND who.disabled_at IS NULL
      WHERE t.id = a.tenant_id AND m.person_id = ${person} AND ${holdsSql(merchantRoles, permissions)})
    OR EXISTS (
      SELECT 1 FROM staff s JOIN people who ON who.id = s.person_id AND who.disabled_at IS NULL
      WHERE s.person_id = ${person} AND s.role = ANY (${staff})))`;

/*
 * This one statement checks everything that an approval demands, so that nothing can happen between a check and the
 * approval. The requester is recognised by account, by sign-on identity, and by mailbox.
 */
const approveStatement = {
  name: 'approvals.approve',
  text: `
UPDATE approvals a SET status = 'APPROVED', decided_by = p.id, decided_at = $5, due_at = $6
FROM people p
WHERE a.tenant_id = $1 AND a.id = $2 AND p.id = $3
  AND a.status IN ${statusesBefore(approvalTransitions, 'APPROVED')}
  AND a.expires_at > $5
  AND a.asked_by <> p.id
  AND ${mailbox('a.asked_mailbox')} <> ${mailbox('p.email')}
  AND (a.asked_identity IS NULL OR a.asked_identity IS DISTINCT FROM $4)
  AND (a.asked_identity IS NULL OR a.asked_identity NOT IN (${identitiesOf('p.id')}))
  AND ${may('a.asked_by', '$7::text[]', '$10::text[]', '$9::text[]')}
  AND ${may('p.id', '$8::text[]', '$11::text[]', '$9::text[]')}
RETURNING ${approvalColumns}`,
};

/** Undefined if any condition fails. */
export async function approveStored(
  transaction: Queryable,
  { tenantId, id, kind }: Pick<Approval, 'tenantId' | 'id' | 'kind'>,
  { personId, identity }: Requester,
  { nowMs, dueAtMs }: { nowMs: number; dueAtMs: number },
): Promise<Approval | undefined> {
  const times = [timestamp(nowMs), timestamp(dueAtMs)];
  const { asks, decides, staff } = rolesOf(kind);
  const roles = [asks.roles, decides.roles, staff];
  const own = [asks.permissions, decides.permissions];
  const values = [tenantId, id, personId, identity, ...times, ...roles, ...own];
  return (await transaction.query<Approval>(approveStatement, values))[0];
}

/** Members by a role of the table, or by a permission of their custom role. */
interface Entitled {
  roles: Role[];
  permissions: Permission[];
}

function rolesOf(kind: ApprovalKind): { asks: Entitled; decides: Entitled; staff: StaffRole[] } {
  const { who } = approvalKinds[kind];
  const those = (permissions: Permission[]) => ({ roles: rolesWith(permissions), permissions });
  if (who.of === 'STAFF') {
    const staff = staffRoles.filter((role) => staffCan(role, who.may));
    return { asks: those([]), decides: those([]), staff };
  }
  return { asks: those([who.asks]), decides: those([who.decides]), staff: [] };
}

const standingStatement = {
  name: 'approvals.standing',
  text: `
SELECT ${isAsker('$4')} AS "isAsker",
  ${may('p.id', '$5::text[]', '$8::text[]', '$7::text[]')} AS "mayAsk",
  ${may('p.id', '$6::text[]', '$9::text[]', '$7::text[]')} AS "mayDecide"
FROM approvals a JOIN people p ON p.id = $3
WHERE a.tenant_id = $1 AND a.id = $2`,
};

export interface RequestRelation {
  isAsker: boolean;
  mayAsk: boolean;
  mayDecide: boolean;
}

/** A person's relation to a request: explains why they cannot approve it, and decides who may reject it. */
export async function findRelation(
  database: Queryable,
  { tenantId, id, kind }: Approval,
  { personId, identity }: Requester,
): Promise<RequestRelation> {
  const { asks, decides, staff } = rolesOf(kind);
  const own = [asks.permissions, decides.permissions];
  const values = [tenantId, id, personId, identity, asks.roles, decides.roles, staff, ...own];
  const [standing] = await database.query<RequestRelation>(standingStatement, values);
  return standing ?? { isAsker: false, mayAsk: false, mayDecide: false };
}

export interface Move {
  from: ApprovalStatus;
  to: ApprovalStatus;
  nowMs: number;
  decidedBy?: string;
  resultId?: string;
  failure?: string;
  /** A code for what is left for a person to do. */
  remark?: string;
}

const moveStatement = {
  name: 'approvals.move',
  text: `
UPDATE approvals a SET status = $4, ended_at = $5, due_at = NULL,
  decided_by = coalesce($6, a.decided_by), decided_at = CASE WHEN $6::uuid IS NULL THEN a.decided_at ELSE $5 END,
  -- Nobody compares phones and texts any more, and an erasure does not reach them here.
  request = CASE a.kind
    WHEN 'DISBURSEMENT'
    THEN (a.request::jsonb || '{"operatorPhone": null, "externalId": null, "description": null}')::text
    WHEN 'DISBURSEMENT_BATCH' THEN (a.request::jsonb || '{"rows": null, "description": null}')::text
    ELSE a.request END,
  result_id = $7, failure = $8, remark = CASE $4 WHEN 'DONE' THEN $9::text ELSE a.remark END
WHERE a.tenant_id = $1 AND a.id = $2 AND a.status = $3 AND ${isAllowed(approvalTransitions, 'a.status', '$4')}
RETURNING a.id`,
};

/** Ends a request; false if it had moved on. */
export async function endApproval(
  database: Queryable,
  { tenantId, id }: Pick<Approval, 'tenantId' | 'id'>,
  { from, to, nowMs, decidedBy, resultId, failure, remark }: Move,
): Promise<boolean> {
  requireTransition(approvalTransitions, from, to);
  const more = [decidedBy ?? null, resultId ?? null, failure ?? null, remark ?? null];
  const values = [tenantId, id, from, to, timestamp(nowMs), ...more];
  return (await database.query(moveStatement, values)).length > 0;
}

const postponeStatement = {
  name: 'approvals.postpone',
  text: `
UPDATE approvals SET due_at = $4, try_count = try_count + 1, remark = $5
WHERE tenant_id = $1 AND id = $2 AND status = 'APPROVED' AND ${isUnderLease('due_at', '$3')}`,
};

/** Schedules another try of the effect, unless another process has taken it meanwhile. */
export async function postponeEffect(
  database: Queryable,
  { tenantId, id, dueAtMs }: Approval,
  { nextMs, remark }: { nextMs: number; remark: string },
): Promise<void> {
  const lease = dueAtMs === null ? null : timestamp(dueAtMs);
  await database.query(postponeStatement, [tenantId, id, lease, timestamp(nextMs), remark]);
}

/** Locks the row until the transaction ends. */
export const lockApproval = rowQuery<Approval, [tenantId: string, id: string]>({
  name: 'approvals.lock',
  text: `SELECT ${columns} FROM approvals WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
});

export const findApproval = rowQuery<Approval, [tenantId: string, id: string]>({
  name: 'approvals.find',
  text: `SELECT ${columns} FROM approvals WHERE tenant_id = $1 AND id = $2`,
});

const claim = claimStatement({
  name: 'approvals.claim',
  table: 'approvals',
  key: ['tenant_id', 'id'],
  where: () => "r.status = 'APPROVED'",
  returning: columns,
});

/** How many requests of a person wait for a decision. */
export async function countPending(
  database: Queryable,
  tenantId: string,
  personId: string,
): Promise<number> {
  const text = `
SELECT count(*)::integer AS count FROM approvals
WHERE tenant_id = $1 AND asked_by = $2 AND status = 'PENDING'`;
  return (await database.query<{ count: number }>({ text }, [tenantId, personId]))[0]!.count;
}

/** Whether another request about the same subject is approved, with its effect on its way. */
export async function hasAnotherUnderWay(
  transaction: Queryable,
  { tenantId, id, kind, subjectId }: Approval,
): Promise<boolean> {
  const text = `
SELECT FROM approvals
WHERE tenant_id = $1 AND id <> $2 AND kind = $3 AND subject_id = $4 AND status = 'APPROVED' LIMIT 1`;
  return (await transaction.query({ text }, [tenantId, id, kind, subjectId])).length > 0;
}

/** Approved requests whose effect has not happened in time. */
export const claimApproved = (
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<Approval[]> => claim.run<Approval>(database, { nowMs, leaseMs, limit });

/** Requests that nobody decided in time. */
export function findExpired(
  database: Queryable,
  nowMs: number,
  limit: number,
): Promise<Approval[]> {
  const text = `
SELECT ${columns} FROM approvals
WHERE status = 'PENDING' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`;
  return database.query<Approval>({ name: 'approvals.expired', text }, [timestamp(nowMs), limit]);
}
