import { rowQuery } from '../../../platform/postgres/query.ts';
import { prepare } from '../../../platform/postgres/statement.ts';

/** Records that an operator knows a request; an earlier record is not overwritten. */
export const { run: keepAcknowledgement } = prepare({
  name: 'operator_requests.keep',
  given: {
    tenantId: 'uuid',
    reference: 'uuid',
    operator: 'text',
    /** The operator's id of the request (serverCorrelationId). */
    requestId: 'text',
    /** How often the operator accepts queries by that id; null: without limit. */
    pollsLeft: 'integer',
    nowMs: 'timestamptz',
  },
  text: (given) => `
INSERT INTO operator_requests AS known (tenant_id, reference, operator, request_id, polls_left, created_at)
SELECT ${Object.values(given).join(', ')}
ON CONFLICT (tenant_id, reference) DO UPDATE SET
  request_id = coalesce(known.request_id, excluded.request_id),
  polls_left = CASE WHEN known.request_id IS NULL THEN excluded.polls_left ELSE known.polls_left END`,
});

/** Finds another request with this id at the operator, of any tenant: then the id identifies neither. */
export const { run: findOther } = prepare({
  name: 'operator_requests.find_other',
  given: { operator: 'text', requestId: 'text', tenantId: 'uuid', reference: 'uuid' },
  text: (given) => `
SELECT reference FROM operator_requests
WHERE operator = ${given.operator} AND lower(request_id) = lower(${given.requestId})
  AND (tenant_id, reference) <> (${given.tenantId}, ${given.reference})
LIMIT 1`,
});

/**
 * Takes one of the queries that the operator allows. Undefined if it never acknowledged the request; without
 * `requestId` if it cannot be queried by one, or no longer. `keptId` is that id all the same.
 */
export const takePoll = rowQuery<
  { requestId: string | null; keptId: string | null },
  [tenantId: string, reference: string]
>({
  name: 'operator_requests.poll',
  text: `
WITH poll AS (
  UPDATE operator_requests SET polls_left = polls_left - 1
  WHERE tenant_id = $1 AND reference = $2 AND request_id IS NOT NULL
    AND (polls_left IS NULL OR polls_left > 0)
  RETURNING request_id
)
SELECT (SELECT request_id FROM poll) AS "requestId", request_id AS "keptId" FROM operator_requests
WHERE tenant_id = $1 AND reference = $2`,
});
