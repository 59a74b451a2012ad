import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import {
  type Approval,
  type ApprovalKind,
  type ApprovalStatus,
  type Requester,
  staffKinds,
} from './approval.ts';
import { approvalColumns, isAsker } from './store.ts';

/** A request as a page shows it. */
export interface ListedApproval extends Approval {
  /** Null: the account is gone. */
  askerName: string | null;
  deciderName: string | null;
}

const listed = `
SELECT ${approvalColumns}, asker.name AS "askerName", decider.name AS "deciderName"
FROM approvals a LEFT JOIN people asker ON asker.id = a.asked_by
  LEFT JOIN people decider ON decider.id = a.decided_by
WHERE a.tenant_id = $1 AND a.kind = ANY ($2::text[])`;

/** Requests that wait for a decision or for their effect, oldest first. */
export function listOpen(
  database: Queryable,
  tenantId: string,
  kinds: readonly ApprovalKind[],
  limit: number,
): Promise<ListedApproval[]> {
  const text = `${listed} AND a.status IN ('PENDING', 'APPROVED') ORDER BY a.asked_at, a.id LIMIT $3`;
  return database.query<ListedApproval>({ text }, [tenantId, kinds, limit]);
}

/** Finished requests, newest first. */
export function listEnded(
  database: Queryable,
  tenantId: string,
  kinds: readonly ApprovalKind[],
  limit: number,
): Promise<ListedApproval[]> {
  const text = `${listed} AND a.status NOT IN ('PENDING', 'APPROVED') ORDER BY a.asked_at DESC, a.id DESC LIMIT $3`;
  return database.query<ListedApproval>({ text }, [tenantId, kinds, limit]);
}

/** Requests of the staff, about any merchant. */
export interface StaffApproval extends ListedApproval {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
  /** Whether the viewer is the requester, by any account. */
  isAsker: boolean;
}

const ofStaff = `
SELECT ${approvalColumns}, asker.name AS "askerName", decider.name AS "deciderName",
  t.merchant_id AS "merchantId", m.name AS "merchantName", t.mode, coalesce(${isAsker('$2')}, false) AS "isAsker"
FROM found a JOIN tenants t ON t.id = a.tenant_id JOIN merchants m ON m.id = t.merchant_id
  LEFT JOIN people asker ON asker.id = a.asked_by
  LEFT JOIN people decider ON decider.id = a.decided_by
  LEFT JOIN people p ON p.id = $1`;

/** By id alone, since the staff do not know the tenant; undefined if it is not one of theirs. */
const byId = (id: string) => `
  SELECT a.* FROM tenants t JOIN approvals a ON a.tenant_id = t.id AND a.id = ${id} AND a.kind = ANY ($3::text[])`;

interface StaffFilter {
  kinds: readonly ApprovalKind[];
  /** Those that wait for a decision or their effect, or those that are finished. */
  isOpen?: boolean | undefined;
  status?: ApprovalStatus | undefined;
}

interface StaffPage {
  limit: number;
  startingAfter?: string | undefined;
  /** When that request was made, if it is in another database. */
  afterMs?: number | undefined;
}

type Looking = Pick<Requester, 'personId' | 'identity'> | undefined;

/**
 * Newest first, about any merchant. Reads at most a page of each kind, and returns one row more than the limit if
 * there are more.
 * @param looking the person who views the list, if any
 */
export function listStaffApprovals(
  database: Queryable,
  { kinds, isOpen, status }: StaffFilter,
  { limit, startingAfter, afterMs }: StaffPage,
  looking?: Looking,
): Promise<StaffApproval[]> {
  const open = `status IN ('PENDING', 'APPROVED')`;
  const state = isOpen === undefined ? 'true' : isOpen ? open : `NOT (${open})`;
  const text = `
WITH last AS (${byId('$5')}), found AS (
  SELECT each.* FROM unnest($3::text[]) AS of (kind) CROSS JOIN LATERAL (
    SELECT * FROM approvals
    WHERE kind = of.kind AND ${state} AND ($4::text IS NULL OR status = $4)
      AND ${startingAfter === undefined ? 'true' : '(asked_at, id) < (coalesce($6::timestamptz, (SELECT asked_at FROM last)), $5)'}
    ORDER BY asked_at DESC, id DESC LIMIT ${limit + 1}
  ) AS each
  ORDER BY asked_at DESC, id DESC LIMIT ${limit + 1}
)${ofStaff}
ORDER BY a.asked_at DESC, a.id DESC`;
  const who = [looking?.personId ?? null, looking?.identity ?? null];
  const after = startingAfter === undefined ? [null] : [startingAfter, timestamp(afterMs ?? null)];
  const values = [...who, kinds, status ?? null, ...after];
  return database.query<StaffApproval>({ text }, values);
}

/** A single request; undefined if there is none of these kinds. */
export async function findStaffApproval(
  database: Queryable,
  id: string,
  kinds: readonly ApprovalKind[] = staffKinds,
  looking?: Looking,
): Promise<StaffApproval | undefined> {
  const text = `WITH found AS (${byId('$4')})${ofStaff}`;
  const who = [looking?.personId ?? null, looking?.identity ?? null];
  return (await database.query<StaffApproval>({ text }, [...who, kinds, id]))[0];
}
