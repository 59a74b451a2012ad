import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import type { IdRange, OldRows } from '../../platform/jobs/retention.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';

const tenantsStatement = {
  name: 'operator_retention.tenants',
  text: `
SELECT t.id
FROM tenants t
CROSS JOIN LATERAL (
  (SELECT q.reference FROM operator_requests q
  WHERE q.tenant_id = t.id AND q.reference < $1
  ORDER BY q.reference LIMIT 1)
  UNION ALL
  SELECT reported.reference
  FROM unnest($2::text[]) AS named (operator)
  CROSS JOIN LATERAL (
    SELECT c.reference FROM operator_callbacks c
    WHERE c.tenant_id = t.id AND c.operator = named.operator AND c.reference < $1
    ORDER BY c.reference LIMIT 1
  ) AS reported
  LIMIT 1
) AS old
ORDER BY t.id`,
};

async function tenants(database: Queryable, beforeId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(tenantsStatement, [beforeId, operatorNames]);
  return rows.map(({ id }) => id);
}

const nextStatement = {
  name: 'operator_retention.next',
  text: `
SELECT reference
FROM (
  (SELECT reference FROM operator_requests
  WHERE tenant_id = $1 AND reference > $2 AND reference < $3
  ORDER BY reference LIMIT $4)
  UNION
  SELECT reported.reference
  FROM unnest($5::text[]) AS named (operator)
  CROSS JOIN LATERAL (
    SELECT c.reference FROM operator_callbacks c
    WHERE c.tenant_id = $1 AND c.operator = named.operator AND c.reference > $2 AND c.reference < $3
    ORDER BY c.reference LIMIT $4
  ) AS reported
) AS either_table
ORDER BY reference LIMIT $4`,
};

async function next(
  database: Queryable,
  { tenantId, afterId }: Pick<IdRange, 'tenantId' | 'afterId'>,
  beforeId: string,
  limit: number,
): Promise<IdRange | undefined> {
  const values = [tenantId, afterId, beforeId, limit, operatorNames];
  const rows = await database.query<{ reference: string }>(nextStatement, values);
  const lastId = rows.at(-1)?.reference;
  return lastId === undefined ? undefined : { tenantId, afterId, lastId };
}

/*
 * The ids of reversals are derived, not made from the time: those of a payment are removed together with its own.
 * While one of them is not returned, all stay, and so do cases that still wait for a person.
 */
const removeStatement = {
  name: 'operator_retention.remove',
  text: `
WITH heard AS (
  SELECT reference FROM operator_requests
  WHERE tenant_id = $1 AND reference > $2 AND reference <= $3
  UNION
  SELECT reference FROM operator_callbacks
  WHERE tenant_id = $1 AND operator = ANY ($5::text[]) AND reference > $2 AND reference <= $3
),
for_review AS (
  SELECT i.subject_id FROM heard JOIN review_items i ON i.tenant_id = $1 AND i.subject_id = heard.reference
  WHERE i.closed_at IS NULL
),
closed_payment AS (
  SELECT p.id FROM heard JOIN payments p ON p.tenant_id = $1 AND p.id = heard.reference
  WHERE p.due_at IS NULL AND p.updated_at < $4
    AND NOT EXISTS (
      SELECT FROM reversals r
      WHERE r.tenant_id = $1 AND r.payment_id = p.id
        AND (r.status <> 'SUCCEEDED' OR r.updated_at >= $4)
    )
),
closed AS (
  (
    SELECT id FROM closed_payment
    UNION ALL
    SELECT r.id FROM closed_payment p JOIN reversals r ON r.tenant_id = $1 AND r.payment_id = p.id
    UNION ALL
    SELECT f.id FROM heard JOIN refunds f ON f.tenant_id = $1 AND f.id = heard.reference
    WHERE f.due_at IS NULL AND f.updated_at < $4
  )
  EXCEPT SELECT subject_id FROM for_review
),
removed_request AS (
  DELETE FROM operator_requests
  WHERE tenant_id = $1 AND reference IN (SELECT id FROM closed) AND created_at < $4
  RETURNING reference
),
removed_callback AS (
  DELETE FROM operator_callbacks
  WHERE tenant_id = $1 AND operator = ANY ($5::text[]) AND reference IN (SELECT id FROM closed)
    AND received_at < $4 AND due_at IS NULL
  RETURNING reference
)
SELECT (SELECT count(*)::integer FROM removed_request) AS operator_requests,
  (SELECT count(*)::integer FROM removed_callback) AS operator_callbacks`,
};

async function remove(
  transaction: Queryable,
  { tenantId, afterId, lastId }: IdRange,
  beforeMs: number,
): Promise<Record<string, number>> {
  const values = [tenantId, afterId, lastId, timestamp(beforeMs), operatorNames];
  const [removed = {}] = await transaction.query<Record<string, number>>(removeStatement, values);
  return removed;
}

/** The operators' records of payments, refunds and reversals that were closed long ago. */
export const oldOperatorRows: OldRows = { tenants, next, remove };

/** All statements that read or remove rows, for the test of their plans. */
export const statements = [tenantsStatement, nextStatement, removeStatement];
