import { type Database, timestamp } from '../postgres/database.ts';

const dueStatement = {
  name: 'backlog',
  text: `
SELECT kind, count, coalesce(extract(epoch FROM $1::timestamptz - oldest), 0)::float8 AS "oldestSeconds"
FROM (
  SELECT 'payments' AS kind, count(*)::integer, min(due_at) AS oldest FROM payments WHERE due_at <= $1
  UNION ALL
  SELECT 'deliveries', count(*)::integer, min(due_at) FROM deliveries WHERE due_at <= $1
  UNION ALL
  SELECT 'reversals', count(*)::integer, min(due_at) FROM reversals WHERE due_at <= $1
  UNION ALL
  SELECT 'checkout_sessions', count(*)::integer, min(due_at) FROM checkout_sessions WHERE due_at <= $1
  UNION ALL
  SELECT 'refunds', count(*)::integer, min(due_at) FROM refunds WHERE due_at <= $1
  UNION ALL
  SELECT 'disbursements', count(*)::integer, min(due_at) FROM disbursements WHERE due_at <= $1
  UNION ALL
  SELECT 'settlements', count(*)::integer, min(due_at) FROM settlements WHERE due_at <= $1
  UNION ALL
  SELECT 'operator_callbacks', count(*)::integer, min(due_at) FROM operator_callbacks WHERE due_at <= $1
) AS due`,
};

/** The rows of one kind that need attention: how many, and how long the oldest has waited. */
export interface Backlog {
  kind: string;
  count: number;
  oldestSeconds: number;
}

/** How much is due in all tenants, and for how long. */
export function readBacklog(database: Database, nowMs: number): Promise<Backlog[]> {
  return database.query<Backlog>(dueStatement, [timestamp(nowMs)]);
}
