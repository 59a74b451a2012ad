import type { Queryable } from '../../postgres/database.ts';
import { timestamp } from '../../postgres/database.ts';
import type { OperatorName } from '../operator.ts';

/** That an operator knows a request of ours, and how it wants to be queried about it. */
export interface Acknowledgement {
  tenantId: string;
  reference: string;
  operator: OperatorName;
  /** The operator's id of the request (serverCorrelationId). */
  requestId: string | null;
  /** How often the operator may be queried by that id; null if there is no limit. */
  pollsLeft: number | null;
}

const keepStatement = {
  name: 'operator_requests.keep',
  text: `
INSERT INTO operator_requests AS known (tenant_id, reference, operator, request_id, polls_left, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, reference) DO UPDATE SET
  request_id = coalesce(known.request_id, excluded.request_id),
  polls_left = CASE WHEN known.request_id IS NULL THEN excluded.polls_left ELSE known.polls_left END`,
};

/** Keeps that an operator knows a request; what was kept before is not overwritten. */
export async function keepAcknowledgement(
  database: Queryable,
  { tenantId, reference, operator, requestId, pollsLeft }: Acknowledgement,
  nowMs: number,
): Promise<void> {
  const values = [tenantId, reference, operator, requestId, pollsLeft, timestamp(nowMs)];
  await database.query(keepStatement, values);
}

const pollStatement = {
  name: 'operator_requests.poll',
  text: `
WITH poll AS (
  UPDATE operator_requests SET polls_left = polls_left - 1
  WHERE tenant_id = $1 AND reference = $2 AND request_id IS NOT NULL
    AND (polls_left IS NULL OR polls_left > 0)
  RETURNING request_id
)
SELECT (SELECT request_id FROM poll) AS "requestId" FROM operator_requests
WHERE tenant_id = $1 AND reference = $2`,
};

/**
 * Takes one of the queries that the operator allows. Undefined if it never told us that it knows
 * the request; without `requestId` where it cannot be asked by one, or not any more.
 */
export async function takePoll(
  database: Queryable,
  tenantId: string,
  reference: string,
): Promise<{ requestId: string | null } | undefined> {
  const rows = await database.query<{ requestId: string | null }>(pollStatement, [
    tenantId,
    reference,
  ]);
  return rows[0];
}
