import { uuidArray } from '../../platform/postgres/arrays.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { listOf, prepare, rowsOf } from '../../platform/postgres/statement.ts';
import { erasedDigits, erasedPhone, phoneInText } from '../../platform/values/phone.ts';
import type { ErasePaymentsDependencies, Outcome } from './erase-payments.ts';
import { noteSealedKeys, type Wait } from './erase-store.ts';

interface Erasable {
  id: string;
  /** Its name at the operator. */
  reference: string;
  operatorPhone: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
}

/** Locks the disbursements until the transaction ends. @param ids or references */
const lockErasable = rowsQuery<Erasable, [tenantId: string, ids: readonly string[]]>({
  name: 'erasure.lock_disbursements',
  text: `
SELECT id, reference, operator_phone AS "operatorPhone", idempotency_key AS "idempotencyKey", request_hash AS "requestHash"
FROM disbursements WHERE tenant_id = $1 AND (id = ANY ($2::uuid[]) OR reference = ANY ($2::uuid[]))
ORDER BY id FOR UPDATE`,
});

// Test disbursements move no money, so the law does not cover them.
const waitsStatement = {
  name: 'erasure.disbursement_waits',
  text: `
WITH seen AS (
  SELECT d.id,
    CASE
      WHEN d.due_at IS NOT NULL OR d.status IN ('CREATED', 'PROCESSING') OR EXISTS (
        SELECT FROM operator_callbacks c
        WHERE c.tenant_id = $1 AND c.operator = d.operator AND c.reference = d.reference AND c.due_at IS NOT NULL
      ) THEN 'MONEY_UNDER_WAY'
      WHEN EXISTS (
        SELECT FROM review_items i WHERE i.tenant_id = $1 AND i.subject_id = d.id AND i.closed_at IS NULL
      ) THEN 'FOR_REVIEW'
    END AS reason,
    CASE
      WHEN t.mode = 'live' AND d.operator_tx_id IS NOT NULL THEN d.created_at + make_interval(secs => $4)
    END AS kept_until
  FROM disbursements d JOIN tenants t ON t.id = d.tenant_id
  WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])
)
SELECT id, coalesce(reason, 'KEPT_BY_LAW') AS reason,
  CASE WHEN kept_until > $3 THEN kept_until END AS "keptUntilMs"
FROM seen
WHERE reason IS NOT NULL OR kept_until > $3`,
};

interface Erasing extends Erasable {
  /** Matches the phone in texts. */
  pattern: string;
  isKeySealed: boolean;
}

const cleaned = (column: string) =>
  `regexp_replace(${column}, given.pattern, '${erasedDigits}', 'g')`;

const given = {
  tenantId: 'uuid',
  rows: rowsOf<Erasing>({
    id: ['uuid', ({ id }) => id],
    pattern: ['text', ({ pattern }) => pattern],
    idempotency_key: ['text', ({ idempotencyKey }) => idempotencyKey],
    request_hash: ['bytea', ({ requestHash }) => requestHash],
  }),
} as const;

// The version increases, so that processes with the old row cannot write it back.
const eraseStatement = prepare({
  name: 'erasure.disbursements',
  given,
  text: ({ tenantId, rows }) => `
UPDATE disbursements d SET version = d.version + 1, operator_phone = NULL, customer_id = NULL, description = NULL,
  metadata = NULL, external_id = ${cleaned('d.external_id')},
  statement_descriptor = ${cleaned('d.statement_descriptor')}, idempotency_key = given.idempotency_key,
  request_hash = given.request_hash
FROM ${rows}
WHERE d.tenant_id = ${tenantId} AND d.id = given.id`,
});

const reviewsStatement = prepare({
  name: 'erasure.disbursement_reviews',
  given,
  text: ({ tenantId, rows }) => `
UPDATE review_items i
SET detail = ${cleaned('i.detail::text')}::jsonb, reason = ${cleaned('i.reason')}
FROM ${rows}
WHERE i.tenant_id = ${tenantId} AND i.subject_id = given.id`,
});

const ofReferences = { tenantId: 'uuid', references: listOf('uuid') } as const;

const simulatorStatement = prepare({
  name: 'erasure.disbursement_simulator',
  given: ofReferences,
  text: ({ tenantId, references }) => `
UPDATE simulator_transactions SET phone = '' WHERE tenant_id = ${tenantId} AND reference = ANY (${references})`,
});

const callbacksStatement = prepare({
  name: 'erasure.disbursement_callbacks',
  given: ofReferences,
  text: ({ tenantId, references }) => `
DELETE FROM operator_callbacks WHERE tenant_id = ${tenantId} AND reference = ANY (${references})`,
});

/**
 * Removes the personal data of disbursements and their related rows, except of those that must wait: their money is
 * under way, a person looks into them, or the law requires them. Amounts, statuses, references and times stay.
 * @param ids of disbursements, or their references if they were not written yet when they were named
 */
export async function eraseDisbursements(
  transaction: Queryable,
  { requestHashes, legalRetentionMs }: Omit<ErasePaymentsDependencies, 'database'>,
  { tenantId, ids, nowMs }: { tenantId: string; ids: readonly string[]; nowMs: number },
): Promise<Outcome> {
  const locked = await lockErasable(transaction, tenantId, ids);
  if (locked.length === 0) return { erased: [], waits: [] };
  const named = new Set(ids);
  const namesOf = ({ id, reference }: Erasable) =>
    [id, reference].filter((each) => named.has(each));
  // A separate statement, which sees all changes before the disbursements were locked.
  const lockedIds = uuidArray(locked, ({ id }) => id);
  const values = [tenantId, lockedIds, timestamp(nowMs), legalRetentionMs / 1_000];
  const found = await transaction.query<Wait>(waitsStatement, values);
  const waiting = new Map(found.map((wait) => [wait.id, wait]));
  const free = locked.filter(({ id }) => !waiting.has(id));
  const rows = free.flatMap(({ operatorPhone: phone, ...row }): Erasing[] => {
    // Erased disbursements are skipped; their events may still be there after a crash.
    if (phone === null) return [];
    const { requestHash, idempotencyKey: key } = row;
    const pattern = phoneInText(phone);
    const isKeySealed = key !== null && new RegExp(pattern).test(key);
    const sealed = {
      idempotencyKey: isKeySealed ? requestHashes.sealKey(key) : key,
      requestHash: requestHash && requestHashes.seal(requestHash),
    };
    return [{ ...row, ...sealed, operatorPhone: phone, pattern, isKeySealed }];
  });
  if (rows.some(({ isKeySealed }) => isKeySealed)) await noteSealedKeys(transaction, tenantId);
  await eraseStatement.run(transaction, { tenantId, rows });
  await reviewsStatement.run(transaction, { tenantId, rows });
  const references = rows.map(({ reference }) => reference);
  await simulatorStatement.run(transaction, { tenantId, references });
  await callbacksStatement.run(transaction, { tenantId, references });
  const erased = free.flatMap((row) => {
    const phone = row.operatorPhone ?? erasedPhone;
    return namesOf(row).map((id) => ({ id, phone, objectIds: [row.id] }));
  });
  const waits = locked.flatMap((row) => {
    const wait = waiting.get(row.id);
    return wait ? namesOf(row).map((id) => ({ ...wait, id })) : [];
  });
  return { erased, waits };
}
