import { claimStatement } from '../../platform/jobs/claim.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { listOf, prepare, rowsOf, table } from '../../platform/postgres/statement.ts';
import { unwrittenRows } from './unwritten-rows.ts';

/** A person's erasure request; its digest finds the phone in an older backup. */
export interface Erasure {
  id: string;
  keyId: Buffer;
  phoneDigest: Buffer;
  /** Covers the data up to this instant. */
  requestedAtMs: number;
}

const erasures = table<Erasure>({
  id: 'uuid',
  keyId: 'bytea',
  phoneDigest: 'bytea',
  requestedAtMs: 'timestamptz',
});

const { columns } = erasures;
const newErasures = erasures.rowsWithout();

const insertStatement = prepare({
  name: 'erasures.insert',
  given: { erasures: newErasures },
  text: (given) => `
INSERT INTO erasures (${newErasures.names}) SELECT * FROM ${given.erasures}
ON CONFLICT DO NOTHING
RETURNING id`,
});

/** Returns how many were new. */
export async function insertErasures(
  database: Queryable,
  added: readonly Erasure[],
): Promise<number> {
  return (await insertStatement.run(database, { erasures: added })).length;
}

export const allErasures = rowsQuery<Erasure, []>({
  name: 'erasures.all',
  text: `SELECT ${columns} FROM erasures ORDER BY id`,
});

/** Erasures with tables that have not been searched yet. */
export const erasuresToApply = rowsQuery<Erasure, []>({
  name: 'erasures.to_apply',
  text: `SELECT ${columns} FROM erasures WHERE applied_at IS NULL ORDER BY id`,
});

export const { run: markApplied } = prepare({
  name: 'erasures.applied',
  given: { ids: listOf('uuid'), nowMs: 'timestamptz' },
  text: ({ ids, nowMs }) => `UPDATE erasures SET applied_at = ${nowMs} WHERE id = ANY (${ids})`,
});

// Requests come before routine retention, and no request is delayed.
/** Payments and disbursements whose personal data must go from an instant on; without an erasure, because of their age. */
export const { run: addErasing } = prepare({
  name: 'erasing_payments.add',
  given: {
    payments: rowsOf<ErasingPayment & { dueAtMs: number }>({
      tenant_id: ['uuid', ({ tenantId }) => tenantId],
      payment_id: ['uuid', ({ paymentId }) => paymentId],
      due_at: ['timestamptz', ({ dueAtMs }) => dueAtMs],
    }),
    erasureId: 'uuid',
  },
  text: (given) => `
INSERT INTO erasing_payments AS w (tenant_id, payment_id, erasure_id, due_at)
SELECT tenant_id, payment_id, ${given.erasureId}, due_at FROM ${given.payments}
ON CONFLICT (tenant_id, payment_id) DO UPDATE
  SET erasure_id = coalesce(excluded.erasure_id, w.erasure_id), due_at = LEAST(w.due_at, excluded.due_at)`,
});

export interface ErasingPayment {
  tenantId: string;
  /** Of a payment or a disbursement; the reference of one that was not written yet. */
  paymentId: string;
}

// No index serves this, because every payment would pay for it, and requests are rare.
const ofPhoneStatement = {
  name: 'erasing_payments.add_phone',
  text: `
INSERT INTO erasing_payments AS w (tenant_id, payment_id, erasure_id, due_at)
SELECT tenant_id, id, $2, $3 FROM (
  SELECT tenant_id, id FROM payments WHERE operator_phone = $1 AND created_at <= $3
  UNION
  SELECT tenant_id, id FROM disbursements WHERE operator_phone = $1 AND created_at <= $3
  UNION
  SELECT tenant_id, id FROM (${unwrittenRows}) AS unwritten WHERE operator_phone = $1 AND created_at <= $3
) AS found
ON CONFLICT (tenant_id, payment_id) DO UPDATE SET erasure_id = excluded.erasure_id, due_at = LEAST(w.due_at, excluded.due_at)
RETURNING 1`,
};

/** Makes all payments and disbursements of a phone due at once, for every tenant; returns how many. */
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

/** Claims due payments under a lease, for one erasure or all. */
export function claimErasing(
  database: Queryable,
  claim: { nowMs: number; leaseMs: number; limit: number; erasureId: string | null },
): Promise<ErasingPayment[]> {
  return claimPayments.run(database, claim);
}

/** When to recheck payments that must wait. */
export const { run: delayErasing } = prepare({
  name: 'erasing_payments.delay',
  given: {
    tenantId: 'uuid',
    waits: rowsOf<{ id: string; dueAtMs: number }>({
      payment_id: ['uuid', ({ id }) => id],
      due_at: ['timestamptz', ({ dueAtMs }) => dueAtMs],
    }),
  },
  text: (given) => `
UPDATE erasing_payments w SET due_at = given.due_at
FROM ${given.waits}
WHERE w.tenant_id = ${given.tenantId} AND w.payment_id = given.payment_id`,
});

export const { run: finishErasing } = prepare({
  name: 'erasing_payments.finish',
  given: { tenantId: 'uuid', paymentIds: listOf('uuid') },
  text: ({ tenantId, paymentIds }) =>
    `DELETE FROM erasing_payments WHERE tenant_id = ${tenantId} AND payment_id = ANY (${paymentIds})`,
});
