import { claimStatement } from '../../platform/jobs/claim.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import { isAllowed, statusesBefore } from '../../platform/values/transitions.ts';
import {
  type ReconciliationStatus,
  reconciliationTransitions,
  type StoredReconciliation,
} from './reconciliation.ts';

const reconciliations = table<StoredReconciliation>({
  id: 'uuid',
  status: 'text',
  operator: 'text',
  mode: 'text',
  merchantId: 'uuid',
  currency: 'text',
  askedFromMs: 'timestamptz',
  askedUntilMs: 'timestamptz',
  fileName: 'text',
  fileDigest: 'bytea',
  fileBytes: 'bigint',
  hasLines: 'boolean',
  uploadedBy: 'text',
  askedBy: 'text',
  askedOrigin: 'text',
  askedAtMs: 'timestamptz',
  dueAtMs: 'timestamptz',
  tries: 'integer',
  comparedAtMs: 'timestamptz',
  fromAtMs: 'timestamptz',
  untilAtMs: 'timestamptz',
  lineCount: 'integer',
  matchedCount: 'integer',
  withoutMoneyCount: 'integer',
  differenceCount: 'integer',
  openCount: 'integer',
  failure: 'text',
  closedBy: 'text',
  closedAtMs: 'timestamptz',
  createdAtMs: 'timestamptz',
});

const { columns } = reconciliations;
const newReconciliations = reconciliations.rowsWithout();

const insertStatement = prepare({
  name: 'reconciliations.insert',
  given: { rows: newReconciliations },
  text: (given) => `
INSERT INTO reconciliations (${newReconciliations.names})
SELECT ${newReconciliations.names} FROM ${given.rows}
ON CONFLICT DO NOTHING
RETURNING id`,
});

/** False if the same file was uploaded before with the same scope. */
export async function insertReconciliation(
  transaction: Queryable,
  reconciliation: StoredReconciliation,
): Promise<boolean> {
  return (await insertStatement.run(transaction, { rows: [reconciliation] })).length > 0;
}

export const findReconciliation = rowQuery<StoredReconciliation, [id: string]>({
  name: 'reconciliations.find',
  text: `SELECT ${columns} FROM reconciliations WHERE id = $1`,
});

/** Locks the row until the transaction ends. */
export const lockReconciliation = rowQuery<StoredReconciliation, [id: string]>({
  name: 'reconciliations.lock',
  text: `SELECT ${columns} FROM reconciliations WHERE id = $1 FOR UPDATE`,
});

const sameFileStatement = {
  name: 'reconciliations.same',
  text: `
SELECT ${columns} FROM reconciliations
WHERE file_digest = $1 AND operator = $2 AND mode = $3 AND merchant_id IS NOT DISTINCT FROM $4
  AND currency IS NOT DISTINCT FROM $5 AND asked_from IS NOT DISTINCT FROM $6
  AND asked_until IS NOT DISTINCT FROM $7`,
};

/** The earlier upload of the same file with the same scope. */
export async function findSame(
  database: Queryable,
  { fileDigest, operator, mode, merchantId, currency, ...asked }: StoredReconciliation,
): Promise<StoredReconciliation | undefined> {
  const period = [timestamp(asked.askedFromMs), timestamp(asked.askedUntilMs)];
  const values = [fileDigest, operator, mode, merchantId, currency, ...period];
  return (await database.query<StoredReconciliation>(sameFileStatement, values))[0];
}

export interface ListFilter {
  status?: ReconciliationStatus | undefined;
  operator?: string | undefined;
  mode?: 'live' | 'test' | undefined;
  startingAfter?: string | undefined;
}

/** Newest first. Returns one row more than the limit if there are more. */
export function listReconciliations(
  database: Queryable,
  { status, operator, mode, startingAfter }: ListFilter,
  limit: number,
): Promise<StoredReconciliation[]> {
  const asked = new Conditions([limit]);
  asked.where('status = ?', status);
  asked.where('operator = ?', operator);
  asked.where('mode = ?', mode);
  asked.where('id < ?', startingAfter);
  const text = `SELECT ${columns} FROM reconciliations WHERE ${asked.text} ORDER BY id DESC LIMIT $1`;
  return database.query({ text }, asked.values);
}

/** How many wait to be compared, or are being compared. */
export async function countWaiting(database: Queryable): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM reconciliations WHERE due_at IS NOT NULL';
  return (await database.query<{ count: number }>({ text }))[0]!.count;
}

const claim = claimStatement({
  name: 'reconciliations.claim',
  table: 'reconciliations',
  key: ['id'],
  returning: columns,
});

/** Claims due reconciliations under a lease. */
export const claimDueComparisons = (
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<StoredReconciliation[]> => claim.run(database, { nowMs, leaseMs, limit });

/** Serializes claims: held by one process until its transaction ends. */
const claimLock = { text: 'SELECT pg_advisory_xact_lock(2053729634, 6)' };
const runningText = 'SELECT id FROM reconciliations WHERE due_at > $1 LIMIT 1';

/**
 * Claims the next reconciliation under a lease, and counts a try. Only one is compared at a time across processes:
 * each comparison needs a connection, and space in the database.
 */
export function claimComparison(
  database: Database,
  nowMs: number,
  leaseMs: number,
): Promise<StoredReconciliation | undefined> {
  return database.transaction(async (transaction) => {
    await transaction.query(claimLock);
    const running = await transaction.query({ text: runningText }, [timestamp(nowMs)]);
    if (running.length > 0) return undefined;
    const [taken] = await claimDueComparisons(transaction, nowMs, leaseMs, 1);
    if (taken === undefined) return undefined;
    const text = 'UPDATE reconciliations SET tries = tries + 1 WHERE id = $1';
    await transaction.query({ text }, [taken.id]);
    return { ...taken, tries: taken.tries + 1 };
  });
}

const setDueStatement = {
  name: 'reconciliations.set_due',
  text: `UPDATE reconciliations SET due_at = $3 WHERE id = $1 AND ${isUnderLease('due_at', '$2')} RETURNING id`,
};

/** Renews a lease, or releases it until the next try is due. False if the lease had passed to another process. */
export async function setDue(
  database: Queryable,
  { id, leaseMs }: { id: string; leaseMs: number },
  dueAtMs: number,
): Promise<boolean> {
  const values = [id, timestamp(leaseMs), timestamp(dueAtMs)];
  return (await database.query(setDueStatement, values)).length > 0;
}

const leaveStatement = {
  name: 'reconciliations.leave',
  text: `UPDATE reconciliations SET due_at = $3, tries = tries - 1 WHERE id = $1 AND ${isUnderLease('due_at', '$2')}`,
};

/** Passes a comparison on to another process, without counting a try. */
export async function leaveComparison(
  database: Queryable,
  { id, leaseMs }: { id: string; leaseMs: number },
  nowMs: number,
): Promise<void> {
  await database.query(leaveStatement, [id, timestamp(leaseMs), timestamp(nowMs)]);
}

const endStatement = prepare({
  name: 'reconciliations.end',
  given: {
    id: 'uuid',
    status: 'text',
    comparedAtMs: 'timestamptz',
    fromAtMs: 'timestamptz',
    untilAtMs: 'timestamptz',
    lineCount: 'integer',
    matchedCount: 'integer',
    withoutMoneyCount: 'integer',
    differenceCount: 'integer',
    openCount: 'integer',
    failure: 'text',
    closedBy: 'text',
    closedAtMs: 'timestamptz',
  },
  text: (given) => `
UPDATE reconciliations SET status = ${given.status}, due_at = NULL, tries = 0,
  compared_at = ${given.comparedAtMs}, from_at = ${given.fromAtMs}, until_at = ${given.untilAtMs},
  line_count = ${given.lineCount}, matched_count = ${given.matchedCount},
  without_money_count = ${given.withoutMoneyCount}, difference_count = ${given.differenceCount},
  open_count = ${given.openCount}, failure = ${given.failure}, closed_by = ${given.closedBy},
  closed_at = ${given.closedAtMs}
WHERE id = ${given.id} AND ${isAllowed(reconciliationTransitions, 'status', given.status)}
RETURNING id`,
});

/**
 * Ends a comparison, whose row is locked.
 * @throws Error if it was not being compared
 */
export async function endComparison(
  transaction: Queryable,
  next: StoredReconciliation,
): Promise<void> {
  if ((await endStatement.run(transaction, next)).length === 0) {
    throw new Error(`no comparison of ${next.id} could end as ${next.status}`);
  }
}

const againStatement = {
  name: 'reconciliations.again',
  text: `
UPDATE reconciliations SET status = 'COMPARING', due_at = $2, tries = 0, asked_by = $3, asked_origin = $4,
  asked_at = $2, failure = NULL, closed_by = NULL, closed_at = NULL, has_lines = true
WHERE id = $1 AND status IN ${statusesBefore(reconciliationTransitions, 'COMPARING')}
RETURNING id`,
};

/** Requests another comparison; false if one is under way. */
export async function askComparison(
  transaction: Queryable,
  id: string,
  { nowMs, actor, origin }: { nowMs: number; actor: string; origin: string | undefined },
): Promise<boolean> {
  const values = [id, timestamp(nowMs), actor, origin ?? null];
  return (await transaction.query(againStatement, values)).length > 0;
}

const workedStatement = {
  name: 'reconciliations.worked',
  text: `
UPDATE reconciliations SET status = $2, open_count = $3, closed_by = $4, closed_at = $5
WHERE id = $1 AND (status = $2 OR ${isAllowed(reconciliationTransitions, 'status', '$2')})
RETURNING id`,
};

/** Stores the number of open differences after a step; none: the reconciliation is closed. The row is locked. */
export async function noteProgress(
  transaction: Queryable,
  id: string,
  openCount: number,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<ReconciliationStatus> {
  const status = openCount === 0 ? 'MATCHED' : 'OPEN';
  const closing = openCount === 0 ? [actor, timestamp(nowMs)] : [null, null];
  await transaction.query(workedStatement, [id, status, openCount, ...closing]);
  return status;
}
