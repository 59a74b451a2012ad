import { claimStatement } from '../jobs/claim.ts';
import { binaryArray, instantArray, uuidArray } from '../postgres/arrays.ts';
import { type Queryable, timestamp } from '../postgres/database.ts';
import { rowsQuery } from '../postgres/query.ts';

/** A person's request to be forgotten: what is kept of it, and finds the phone in an older backup. */
export interface Erasure {
  id: string;
  keyId: Buffer;
  phoneDigest: Buffer;
  /** What was there at this instant is meant. */
  requestedAtMs: number;
}

const columns = `id, key_id AS "keyId", phone_digest AS "phoneDigest", requested_at AS "requestedAtMs"`;

const insertStatement = {
  name: 'erasures.insert',
  text: `
INSERT INTO erasures (id, key_id, phone_digest, requested_at)
SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::timestamptz[])
ON CONFLICT DO NOTHING
RETURNING id`,
};

/** Gives how many of them were new. */
export async function insertErasures(
  database: Queryable,
  erasures: readonly Erasure[],
): Promise<number> {
  const rows = await database.query(insertStatement, [
    uuidArray(erasures.map(({ id }) => id)),
    binaryArray(erasures.map(({ keyId }) => keyId)),
    binaryArray(erasures.map(({ phoneDigest }) => phoneDigest)),
    instantArray(erasures.map(({ requestedAtMs }) => requestedAtMs)),
  ]);
  return rows.length;
}

export const allErasures = rowsQuery<Erasure, []>({
  name: 'erasures.all',
  text: `SELECT ${columns} FROM erasures ORDER BY id`,
});

/** Those for which not everything has been looked through. */
export const erasuresToApply = rowsQuery<Erasure, []>({
  name: 'erasures.to_apply',
  text: `SELECT ${columns} FROM erasures WHERE applied_at IS NULL ORDER BY id`,
});

const appliedStatement = {
  name: 'erasures.applied',
  text: `UPDATE erasures SET applied_at = $2 WHERE id = ANY ($1::uuid[])`,
};

export async function markApplied(
  database: Queryable,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await database.query(appliedStatement, [uuidArray(ids), timestamp(nowMs)]);
}

// What a person asks for comes before what is only old, and no later than it was due.
const addStatement = {
  name: 'erasing_payments.add',
  text: `
INSERT INTO erasing_payments AS w (tenant_id, payment_id, erasure_id, due_at)
SELECT tenant_id, payment_id, $3, due_at FROM unnest($1::uuid[], $2::uuid[], $4::timestamptz[])
  AS given (tenant_id, payment_id, due_at)
ON CONFLICT (tenant_id, payment_id) DO UPDATE
  SET erasure_id = coalesce(excluded.erasure_id, w.erasure_id), due_at = LEAST(w.due_at, excluded.due_at)`,
};

export interface ErasingPayment {
  tenantId: string;
  paymentId: string;
}

/** Payments whose personal data go from an instant on. @param erasureId null: they are old */
export async function addErasing(
  database: Queryable,
  payments: readonly (ErasingPayment & { dueAtMs: number })[],
  erasureId: string | null,
): Promise<void> {
  await database.query(addStatement, [
    uuidArray(payments.map(({ tenantId }) => tenantId)),
    uuidArray(payments.map(({ paymentId }) => paymentId)),
    erasureId,
    instantArray(payments.map(({ dueAtMs }) => dueAtMs)),
  ]);
}

// No index serves this, since each payment would pay for it; people ask seldom.
const ofPhoneStatement = {
  name: 'erasing_payments.add_phone',
  text: `
INSERT INTO erasing_payments AS w (tenant_id, payment_id, erasure_id, due_at)
SELECT tenant_id, id, $2, $3 FROM payments WHERE operator_phone = $1 AND created_at <= $3
ON CONFLICT (tenant_id, payment_id) DO UPDATE SET erasure_id = $2, due_at = LEAST(w.due_at, $3)
RETURNING 1`,
};

/** All payments of a phone, of every tenant, are due at once; gives how many there are. */
export async function addErasingOfPhone(
  database: Queryable,
  phone: string,
  { id, requestedAtMs }: Pick<Erasure, 'id' | 'requestedAtMs'>,
): Promise<number> {
  return (await database.query(ofPhoneStatement, [phone, id, timestamp(requestedAtMs)])).length;
}

const claimPayments = claimStatement({
  name: 'erasing_payments.claim',
  table: 'erasing_payments',
  key: ['tenant_id', 'payment_id'],
  given: { erasureId: 'uuid' },
  where: (given) => `(${given.erasureId} IS NULL OR erasure_id = ${given.erasureId})`,
  order: 'due_at, payment_id',
  returning: 'r.tenant_id AS "tenantId", r.payment_id AS "paymentId"',
});

/** Takes payments that are due, under a lease; of one erasure or of all. */
export function claimErasing(
  database: Queryable,
  claim: { nowMs: number; leaseMs: number; limit: number; erasureId: string | null },
): Promise<ErasingPayment[]> {
  return claimPayments.run(database, claim);
}

const delayStatement = {
  name: 'erasing_payments.delay',
  text: `
UPDATE erasing_payments w SET due_at = given.due_at
FROM unnest($2::uuid[], $3::timestamptz[]) AS given (payment_id, due_at)
WHERE w.tenant_id = $1 AND w.payment_id = given.payment_id`,
};

/** When to look again at payments that must wait. */
export async function delayErasing(
  database: Queryable,
  tenantId: string,
  waits: readonly { id: string; dueAtMs: number }[],
): Promise<void> {
  const ids = uuidArray(waits.map(({ id }) => id));
  const instants = instantArray(waits.map(({ dueAtMs }) => dueAtMs));
  await database.query(delayStatement, [tenantId, ids, instants]);
}

const finishStatement = {
  name: 'erasing_payments.finish',
  text: `DELETE FROM erasing_payments WHERE tenant_id = $1 AND payment_id = ANY ($2::uuid[])`,
};

export async function finishErasing(
  database: Queryable,
  tenantId: string,
  paymentIds: readonly string[],
): Promise<void> {
  await database.query(finishStatement, [tenantId, uuidArray(paymentIds)]);
}
