import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { OperatorQueue } from './queue.ts';

/** An operator's queue, according to the database. */
export interface QueueStatus {
  operator: OperatorQueue;
  /** How many payments, refunds, reversals and disbursements are due to be sent or queried, and since when the first is. */
  due: number;
  oldestDueMs: number | null;
  /** Payments that were accepted but not sent yet. */
  unsent: number;
  /** Payments that were sent, and about which the operator has said nothing definite. */
  unanswered: number;
  oldestSentMs: number | null;
}

/** For each kind, at most this many open rows are read, the first due first. */
export const mostLookedAt = 20_000;

const open = (table: string, sentAt: string) => `(
  SELECT tenant_id, operator, due_at, ${sentAt} FROM ${table}
  WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${mostLookedAt}
)`;

const isUnanswered = `o.sent_at IS NOT NULL
    AND o.status IN ('OPERATOR_PENDING', 'USER_CONFIRMING', 'CANCELLED', 'EXPIRED', 'FAILED')`;

// The index of due rows holds all open rows: a limited part of it is read, without another index, which would cost
// each payment a write.
const statement = prepare({
  name: 'operators.queues_now',
  given: { now: 'timestamptz' },
  text: ({ now }) => `
SELECT CASE t.mode WHEN 'test' THEN 'SIMULATOR' ELSE o.operator END AS operator,
  (count(*) FILTER (WHERE o.due_at <= ${now}))::integer AS due,
  min(o.due_at) FILTER (WHERE o.due_at <= ${now}) AS "oldestDueMs",
  (count(*) FILTER (WHERE o.status = 'CREATED'))::integer AS unsent,
  (count(*) FILTER (WHERE ${isUnanswered}))::integer AS unanswered,
  min(o.sent_at) FILTER (WHERE ${isUnanswered}) AS "oldestSentMs"
FROM (
  ${open('payments', 'status, sent_at')}
  UNION ALL ${open('refunds', 'NULL, NULL')}
  UNION ALL ${open('reversals', 'NULL, NULL')}
  UNION ALL ${open('disbursements', 'NULL, NULL')}
) AS o JOIN tenants t ON t.id = o.tenant_id
GROUP BY 1`,
});

/** The status of each operator with a queue. */
export function readQueueStatuses(database: Queryable, nowMs: number): Promise<QueueStatus[]> {
  return statement.run(database, { now: nowMs });
}
