import type { CallbackAddress } from '../../integrations/operators/callback-token.ts';
import { claimStatement } from '../../platform/jobs/claim.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { listOf, prepare } from '../../platform/postgres/statement.ts';

/** A callback from an operator, stored before it was answered. */
export interface OperatorCallback extends CallbackAddress {
  /** The reference: the worker uses it as the row's id. */
  id: string;
  /** Equal for repetitions of the same outcome. */
  outcome: string;
  /** JSON text. */
  body: string;
  /** How often a worker looked at the callback and queried the operator, or could have. */
  lookCount: number;
  /** Whether the callback was authenticated, as the settings require. */
  authenticated: boolean;
  dueAtMs: number | null;
  createdAtMs: number;
}

const columns = `
  tenant_id AS "tenantId", reference AS id, reference, operator, kind, outcome, body, authenticated,
  look_count AS "lookCount", due_at AS "dueAtMs", received_at AS "createdAtMs"`;

/**
 * More callbacks than an honest operator sends about one reference; a stranger who found the address cannot fill the
 * table.
 */
const mostForReference = 8;

/**
 * Callbacks that arrive at the same moment do not count each other, so a few more than the limit may be stored. An
 * authenticated callback does not count the others, which strangers may have sent. A repeated outcome maps to the
 * existing row, unless only the repetition is authenticated.
 */
const insertStatement = prepare({
  name: 'operator_callbacks.insert',
  given: {
    tenantId: 'uuid',
    operator: 'text',
    reference: 'uuid',
    outcome: 'text',
    kind: 'text',
    body: 'text',
    authenticated: 'boolean',
    dueAtMs: 'timestamptz',
    createdAtMs: 'timestamptz',
  },
  text: (given) => `
WITH told AS (
  SELECT count(*) FILTER (WHERE authenticated OR NOT ${given.authenticated}) AS count,
    coalesce(bool_or(outcome = ${given.outcome}), false) AS has_outcome
  FROM operator_callbacks
  WHERE tenant_id = ${given.tenantId} AND operator = ${given.operator} AND reference = ${given.reference}
), kept AS (
  INSERT INTO operator_callbacks AS c (tenant_id, operator, reference, outcome, kind, body,
    authenticated, due_at, received_at)
  SELECT ${Object.values(given).join(', ')}
  FROM told WHERE has_outcome OR count < ${mostForReference}
  ON CONFLICT (tenant_id, operator, reference, outcome) DO UPDATE
    SET authenticated = true, body = excluded.body, due_at = excluded.due_at
    WHERE excluded.authenticated AND NOT c.authenticated
  RETURNING c.reference
)
SELECT EXISTS (SELECT FROM kept) AS "isKept",
  NOT has_outcome AND count >= ${mostForReference} AS "isTooMany"
FROM told`,
});

/** The result of storing a callback: there is work to do, the callback was stored already, or there were too many. */
export type StoreResult = 'KEPT' | 'KNOWN' | 'TOO_MANY';

/** Stores a callback, unless the same outcome is stored already or the reference has too many. */
export async function insertCallback(
  database: Queryable,
  callback: OperatorCallback,
): Promise<StoreResult> {
  type Row = { isKept: boolean; isTooMany: boolean };
  const [row] = await insertStatement.run<Row>(database, callback);
  if (row!.isKept) return 'KEPT';
  return row!.isTooMany ? 'TOO_MANY' : 'KNOWN';
}

const tenantStatement = {
  name: 'operator_callbacks.has_tenant',
  text: 'SELECT FROM tenants WHERE id = $1',
};

/** False where a restore went back to before the merchant was created. */
export const tenantExists = async (database: Queryable, tenantId: string): Promise<boolean> =>
  (await database.query(tenantStatement, [tenantId])).length > 0;

const claimCallbacks = claimStatement({
  name: 'operator_callbacks.claim',
  table: 'operator_callbacks',
  key: ['tenant_id', 'operator', 'reference', 'outcome'],
  given: { busyOperators: listOf('text') },
  where: (given) => `operator <> ALL (${given.busyOperators})`,
  returning: columns,
});

/** Claims due callbacks of all tenants, under a lease that ends at `leaseMs`; skips those of busy operators. */
export function claimDueCallbacks(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
  busyOperators: readonly string[] = [],
): Promise<OperatorCallback[]> {
  return claimCallbacks.run(database, { nowMs, leaseMs, limit, busyOperators });
}

const taken = {
  tenantId: 'uuid',
  operator: 'text',
  reference: 'uuid',
  outcome: 'text',
  leaseMs: 'timestamptz',
} as const;

/** The callback, under the lease that it was claimed with. */
const isTaken = (given: Record<keyof typeof taken, string>) =>
  `tenant_id = ${given.tenantId} AND operator = ${given.operator} AND reference = ${given.reference}
  AND outcome = ${given.outcome} AND ${isUnderLease('due_at', given.leaseMs)}`;

/** Marks a callback as handled. */
export const { run: finishCallback } = prepare({
  name: 'operator_callbacks.finish',
  given: { ...taken, contradicts: 'boolean' },
  text: (given) => `
UPDATE operator_callbacks SET due_at = NULL, contradicts = ${given.contradicts} WHERE ${isTaken(given)}`,
});

/** Sets when a worker looks at the callback next. */
export const { run: lookAgain } = prepare({
  name: 'operator_callbacks.look_again',
  given: { ...taken, dueAtMs: 'timestamptz', lookCount: 'integer' },
  text: (given) => `
UPDATE operator_callbacks SET due_at = ${given.dueAtMs}, look_count = ${given.lookCount}
WHERE ${isTaken(given)}`,
});
