import type { OperatorName } from '../../integrations/operators/operator.ts';
import { binaryArray, textArray, uuidArray } from '../../platform/postgres/arrays.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { erasedDigits, erasedPhone, phoneInText } from '../../platform/values/phone.ts';

/**
 * Why personal data must stay for now. KEPT_BY_LAW: the payment moved money, and the law requires it until an
 * instant.
 */
export type WaitReason = 'MONEY_UNDER_WAY' | 'FOR_REVIEW' | 'SESSION_OPEN' | 'KEPT_BY_LAW';

/** The parts of a payment that an erasure needs. */
export interface Erasable {
  id: string;
  operator: OperatorName;
  operatorPhone: string;
  sessionId: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
}

/** Locks the payments until the transaction ends; no refund of them can be created meanwhile. */
export const lockErasable = rowsQuery<Erasable, [tenantId: string, ids: readonly string[]]>({
  name: 'erasure.lock_payments',
  text: `
SELECT id, operator, operator_phone AS "operatorPhone", checkout_session_id AS "sessionId",
  idempotency_key AS "idempotencyKey", request_hash AS "requestHash"
FROM payments WHERE tenant_id = $1 AND id = ANY ($2::uuid[])
ORDER BY id FOR UPDATE`,
});

/** The payments' data in the operators' records by reference, and whether processing is still going on. */
const partsOfPayments = `part AS (
  SELECT id AS payment_id, id AS reference, operator, due_at IS NOT NULL AS is_open
  FROM payments WHERE tenant_id = $1 AND id = ANY ($2::uuid[])
  UNION ALL
  SELECT payment_id, id, operator, due_at IS NOT NULL OR status IN ('PENDING', 'PROCESSING')
  FROM refunds WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])
  UNION ALL
  SELECT payment_id, id, operator,
    due_at IS NOT NULL OR NOT (status = 'SUCCEEDED' OR status = 'FAILED' AND by_hand)
  FROM reversals WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])
)`;

// Test payments move no money, so the law does not cover them.
const waitsStatement = {
  name: 'erasure.waits',
  text: `
WITH ${partsOfPayments},
seen AS (
  SELECT p.id,
    CASE
      WHEN EXISTS (SELECT FROM part WHERE part.payment_id = p.id AND part.is_open)
        OR EXISTS (
          SELECT FROM part JOIN operator_callbacks c
            ON c.tenant_id = $1 AND c.operator = part.operator AND c.reference = part.reference
          WHERE part.payment_id = p.id AND c.due_at IS NOT NULL
        ) THEN 'MONEY_UNDER_WAY'
      WHEN EXISTS (
        SELECT FROM part JOIN review_items i ON i.tenant_id = $1 AND i.subject_id = part.reference
        WHERE part.payment_id = p.id AND i.closed_at IS NULL
      ) THEN 'FOR_REVIEW'
      WHEN s.status = 'OPEN' THEN 'SESSION_OPEN'
    END AS reason,
    CASE
      WHEN t.mode = 'live' AND (
        p.status IN ('DEBITED', 'SETTLED', 'REFUNDED', 'PARTIALLY_REFUNDED')
        OR EXISTS (SELECT FROM reversals r WHERE r.tenant_id = $1 AND r.payment_id = p.id)
      ) THEN p.created_at + make_interval(secs => $4)
    END AS kept_until
  FROM payments p
  JOIN tenants t ON t.id = p.tenant_id
  LEFT JOIN checkout_sessions s ON s.tenant_id = p.tenant_id AND s.id = p.checkout_session_id
  WHERE p.tenant_id = $1 AND p.id = ANY ($2::uuid[])
)
SELECT id, coalesce(reason, 'KEPT_BY_LAW') AS reason,
  CASE WHEN kept_until > $3 THEN kept_until END AS "keptUntilMs"
FROM seen
WHERE reason IS NOT NULL OR kept_until > $3`,
};

export interface Wait {
  id: string;
  reason: WaitReason;
  /** Until when the law requires it; null if it does not. */
  keptUntilMs: number | null;
}

/** The payments whose personal data must stay for now. */
export function findWaits(
  database: Queryable,
  tenantId: string,
  ids: readonly string[],
  { nowMs, legalRetentionMs }: { nowMs: number; legalRetentionMs: number },
): Promise<Wait[]> {
  const values = [tenantId, uuidArray(ids), timestamp(nowMs), legalRetentionMs / 1_000];
  return database.query<Wait>(waitsStatement, values);
}

/** Objects created under an idempotency key. */
export interface Hashed {
  id: string;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
}

export const refundsOf = rowsQuery<
  Hashed & { paymentId: string },
  [tenantId: string, paymentIds: readonly string[]]
>({
  name: 'erasure.refunds',
  text: `
SELECT id, payment_id AS "paymentId", idempotency_key AS "idempotencyKey", request_hash AS "requestHash"
FROM refunds
WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])`,
});

export const lockSessions = rowsQuery<Hashed, [tenantId: string, ids: readonly string[]]>({
  name: 'erasure.sessions',
  text: `
SELECT id, idempotency_key AS "idempotencyKey", request_hash AS "requestHash"
FROM checkout_sessions
WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
});

/** Removes matches of the pattern from a column. */
const cleaned = (column: string) =>
  `regexp_replace(${column}, given.pattern, '${erasedDigits}', 'g')`;

const given = `unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[])
  AS given (id, pattern, idempotency_key, request_hash)`;

// The version increases, so that processes with the old row cannot write it back.
const paymentsStatement = {
  name: 'erasure.payments',
  text: `
UPDATE payments p SET version = p.version + 1, operator_phone = '${erasedPhone}', customer_id = NULL,
  description = NULL, metadata = NULL, external_id = ${cleaned('p.external_id')},
  statement_descriptor = ${cleaned('p.statement_descriptor')}, idempotency_key = given.idempotency_key,
  request_hash = given.request_hash
FROM ${given}
WHERE p.tenant_id = $1 AND p.id = given.id`,
};

const erasedRefundsStatement = {
  name: 'erasure.erase_refunds',
  text: `
UPDATE refunds r SET version = r.version + 1, reason = NULL, metadata = NULL,
  idempotency_key = given.idempotency_key, request_hash = given.request_hash
FROM unnest($2::uuid[], $3::text[], $4::bytea[]) AS given (id, idempotency_key, request_hash)
WHERE r.tenant_id = $1 AND r.id = given.id`,
};

const erasedSessionsStatement = {
  name: 'erasure.erase_sessions',
  text: `
UPDATE checkout_sessions s SET version = s.version + 1, customer_id = NULL, description = NULL, metadata = NULL,
  external_id = ${cleaned('s.external_id')}, items = ${cleaned('s.items')}, return_url = ${cleaned('s.return_url')},
  completion_url = ${cleaned('s.completion_url')}, idempotency_key = given.idempotency_key,
  request_hash = given.request_hash
FROM ${given}
WHERE s.tenant_id = $1 AND s.id = given.id`,
};

const simulatorStatement = {
  name: 'erasure.simulator',
  text: `
UPDATE simulator_transactions SET phone = '' WHERE tenant_id = $1 AND reference = ANY ($2::uuid[])`,
};

const callbacksStatement = {
  name: 'erasure.callbacks',
  text: `
WITH ${partsOfPayments}
DELETE FROM operator_callbacks c USING part
WHERE c.tenant_id = $1 AND c.operator = part.operator AND c.reference = part.reference`,
};

const reviewsStatement = {
  name: 'erasure.reviews',
  text: `
WITH ${partsOfPayments}
UPDATE review_items i
SET detail = ${cleaned('i.detail::text')}::jsonb, reason = ${cleaned('i.reason')}
FROM part JOIN unnest($2::uuid[], $3::text[]) AS given (id, pattern) ON given.id = part.payment_id
WHERE i.tenant_id = $1 AND i.subject_id = part.reference`,
};

/** Before a key is sealed, processes that create payments of the tenant must know that sealed keys may exist. */
const sealedKeysStatement = {
  name: 'erasure.sealed_keys',
  text: `
UPDATE tenants SET may_have_sealed_keys = true WHERE id = $1 AND NOT may_have_sealed_keys`,
};

export async function noteSealedKeys(database: Queryable, tenantId: string): Promise<void> {
  await database.query(sealedKeysStatement, [tenantId]);
}

/** New rows, with their hashes sealed. */
export interface Erasing {
  tenantId: string;
  payments: readonly (Erasable & { isKeySealed: boolean })[];
  refunds: readonly Hashed[];
  /** Each with the phone of one of its payments. */
  sessions: readonly (Hashed & { phone: string })[];
}

/** Removes the personal data from locked rows, except from events, which are found separately. */
export async function eraseRows(transaction: Queryable, erasing: Erasing): Promise<void> {
  const { tenantId, payments, refunds, sessions } = erasing;
  const ids = uuidArray(payments, ({ id }) => id);
  const patterns = textArray(payments, ({ operatorPhone }) => phoneInText(operatorPhone));
  if (payments.some(({ isKeySealed }) => isKeySealed)) await noteSealedKeys(transaction, tenantId);
  await transaction.query(paymentsStatement, [tenantId, ids, patterns, ...sealsOf(payments)]);
  await transaction.query(erasedRefundsStatement, [
    tenantId,
    uuidArray(refunds, ({ id }) => id),
    ...sealsOf(refunds),
  ]);
  await transaction.query(erasedSessionsStatement, [
    tenantId,
    uuidArray(sessions, ({ id }) => id),
    textArray(sessions, ({ phone }) => phoneInText(phone)),
    ...sealsOf(sessions),
  ]);
  await transaction.query(simulatorStatement, [tenantId, ids]);
  await transaction.query(callbacksStatement, [tenantId, ids]);
  await transaction.query(reviewsStatement, [tenantId, ids, patterns]);
}

const sealsOf = (rows: readonly Hashed[]) => [
  textArray(rows, ({ idempotencyKey }) => idempotencyKey),
  binaryArray(rows, ({ requestHash }) => requestHash),
];
