import type { CallbackAddress } from '../../integrations/operators/callback-token.ts';
import { backoffMs } from '../../platform/jobs/backoff.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { OperatorCallback } from './store.ts';

/**
 * The one row of a reference that stands for all callbacks beyond the limit: it records that the operator must be
 * queried again, since one of them may have been true. The row has no body, so strangers cannot fill the table.
 */
const excess = 'excess';

export const isExcess = ({ outcome }: Pick<OperatorCallback, 'outcome'>): boolean =>
  outcome === excess;

/** Each query makes the next one wait longer: strangers must not make us query the operator endlessly. */
const firstIntervalMs = 1_000;
const maxIntervalMs = 9_000_000;

const intervalMs = (questions: number) =>
  questions === 0 ? 0 : backoffMs(questions - 1, firstIntervalMs, maxIntervalMs);

const find = rowQuery<
  { lookCount: number },
  [tenantId: string, operator: string, reference: string]
>({
  name: 'operator_callbacks.find_excess',
  text: `
SELECT look_count AS "lookCount" FROM operator_callbacks
WHERE tenant_id = $1 AND operator = $2 AND reference = $3 AND outcome = '${excess}'`,
});

/** If no query has been answered for so long since the last callback, a person must look into it. */
export const longestUnansweredMs = 3_600_000;

const keepStatement = prepare({
  name: 'operator_callbacks.keep_excess',
  given: {
    tenantId: 'uuid',
    operator: 'text',
    reference: 'uuid',
    kind: 'text',
    dueAtMs: 'timestamptz',
    nowMs: 'timestamptz',
  },
  text: (given) => `
INSERT INTO operator_callbacks AS c (tenant_id, operator, reference, outcome, kind, body, authenticated, due_at, received_at)
SELECT ${given.tenantId}, ${given.operator}, ${given.reference}, '${excess}', ${given.kind}, '{}', false,
  ${given.dueAtMs}, ${given.nowMs}
-- One that is due already, or is being asked about, is asked about again after that: its time moves on, whatever the
-- clock of this process says.
ON CONFLICT (tenant_id, operator, reference, outcome) DO UPDATE
  SET due_at = coalesce(c.due_at, excluded.due_at),
    received_at = GREATEST(excluded.received_at, c.received_at + interval '1 millisecond')`,
});

/** Records that the operator must be queried once more; returns when, in milliseconds since 1970. */
export async function requestExtraQuery(
  database: Queryable,
  { tenantId, operator, reference, kind }: CallbackAddress,
  nowMs: number,
): Promise<number> {
  const found = await find(database, tenantId, operator, reference);
  const dueAtMs = nowMs + intervalMs(found?.lookCount ?? 0);
  await keepStatement.run(database, { tenantId, operator, reference, kind, dueAtMs, nowMs });
  return dueAtMs;
}

const askedStatement = prepare({
  name: 'operator_callbacks.asked_of_excess',
  given: {
    tenantId: 'uuid',
    operator: 'text',
    reference: 'uuid',
    leaseMs: 'timestamptz',
    createdAtMs: 'timestamptz',
    isLast: 'boolean',
    againAtMs: 'timestamptz',
  },
  text: (given) => `
UPDATE operator_callbacks SET look_count = look_count + 1,
  due_at = CASE WHEN received_at > ${given.createdAtMs} OR NOT ${given.isLast} THEN ${given.againAtMs}::timestamptz END
WHERE tenant_id = ${given.tenantId} AND operator = ${given.operator} AND reference = ${given.reference}
  AND outcome = '${excess}' AND ${isUnderLease('due_at', given.leaseMs)}`,
});

/**
 * Records that the operator was queried. Callbacks that arrived meanwhile lead to one more query, and so does a query
 * that is not the last; it may be due at the time returned.
 */
export async function recordExtraQuery(
  database: Queryable,
  callback: OperatorCallback,
  isLast: boolean,
  nowMs: number,
): Promise<number> {
  const againAtMs = nowMs + intervalMs(callback.lookCount + 1);
  const { tenantId, operator, reference, createdAtMs, dueAtMs: leaseMs } = callback;
  await askedStatement.run(database, {
    tenantId,
    operator,
    reference,
    leaseMs,
    createdAtMs,
    isLast,
    againAtMs,
  });
  return againAtMs;
}
