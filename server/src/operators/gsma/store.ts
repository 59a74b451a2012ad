import type { Queryable } from '../../postgres/database.ts';
import { timestamp } from '../../postgres/database.ts';
import { rowQuery } from '../../postgres/query.ts';
import type { OperatorName } from '../operator.ts';

/** That an operator knows a request of ours, and how it wants to be asked about it. */
export interface Acknowledgement {
  tenantId: string;
  reference: string;
  operator: OperatorName;
  /** The operator's id of the request (serverCorrelationId). */
  requestId: string | null;
  /** How often the operator lets itself be asked by that id; null: as often as we like. */
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

/**
 * Takes one of the questions that the operator allows. Undefined where it never told us that it knows
 * the request; without `requestId` where it cannot be asked by one, or not any more.
 */
export const takePoll = rowQuery<
  { requestId: string | null },
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
SELECT (SELECT request_id FROM poll) AS "requestId" FROM operator_requests
WHERE tenant_id = $1 AND reference = $2`,
});
