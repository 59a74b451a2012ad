import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { OperatorQueue } from './queue.ts';

/** What waits for an operator, as the database knows it. */
export interface QueueNow {
  operator: OperatorQueue;
  /** How many payments, refunds and reversals are due to be sent or asked about, and since when the first is. */
  due: number;
  oldestDueMs: number | null;
  /** Payments that were accepted and not sent yet. */
  unsent: number;
  /** Payments that were sent, and of which the operator has said nothing definite. */
  unanswered: number;
  oldestSentMs: number | null;
}

/** Of each kind, as many of what is open are looked at, the first due first. */
export const mostLookedAt = 20_000;

const open = (table: string, sentAt: string) => `(
  SELECT tenant_id, operator, due_at, ${sentAt} FROM ${table}
  WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${mostLookedAt}
)`;

const isUnanswered = `o.sent_at IS NOT NULL
    AND o.status IN ('OPERATOR_PENDING', 'USER_CONFIRMING', 'CANCELLED', 'EXPIRED', 'FAILED')`;

// The index of what is due holds all that is open: a bounded piece of it is read, and no other index is needed, which each
// payment would have to pay for.
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
) AS o JOIN tenants t ON t.id = o.tenant_id
GROUP BY 1`,
});

/** What waits for each operator that something waits for. */
export function queuesNow(database: Queryable, nowMs: number): Promise<QueueNow[]> {
  return statement.run(database, { now: nowMs });
}
