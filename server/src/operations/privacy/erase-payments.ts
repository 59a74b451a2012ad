import type { RequestHashes } from '../../platform/idempotency/idempotency.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { erasedPhone, phoneInText } from '../../platform/values/phone.ts';
import { eraseEvents } from './erase-events.ts';
import {
  eraseRows,
  findWaits,
  type Hashed,
  lockErasable,
  lockSessions,
  refundsOf,
  type Wait,
} from './erase-store.ts';

export interface ErasePaymentsDependencies {
  database: Database;
  requestHashes: RequestHashes;
  /** How long the law requires complete payments that moved money, in milliseconds; 0 without such a law. */
  legalRetentionMs: number;
}

/** The erased and the remaining payments or disbursements of a tenant. */
export interface Outcome {
  erased: ErasedPayment[];
  waits: Wait[];
}

export interface ErasedPayment {
  id: string;
  /** Before the erasure. */
  phone: string;
  /** The objects of their events: the payment, its refunds and its session. */
  objectIds: string[];
}

/**
 * Removes the personal data of payments and their related rows, except payments that must wait. Amounts, statuses,
 * references and times stay: the ledger does not change.
 */
export async function erasePayments(
  transaction: Queryable,
  { requestHashes, legalRetentionMs }: Omit<ErasePaymentsDependencies, 'database'>,
  { tenantId, ids, nowMs }: { tenantId: string; ids: readonly string[]; nowMs: number },
): Promise<Outcome> {
  const locked = await lockErasable(transaction, tenantId, ids);
  // A separate statement, which sees all changes before the payments were locked.
  const waits = await findWaits(transaction, tenantId, ids, { nowMs, legalRetentionMs });
  const waiting = new Set(waits.map(({ id }) => id));
  const free = locked.filter(({ id }) => !waiting.has(id));
  // Erased payments are skipped; their events may still be there after a crash.
  const payments = free.filter((row) => row.operatorPhone !== erasedPhone);
  const freeIds = free.map(({ id }) => id);
  const refunds = await refundsOf(transaction, tenantId, freeIds);
  const phones = new Map(
    payments.flatMap(({ sessionId, operatorPhone }) =>
      sessionId === null ? [] : [[sessionId, operatorPhone]],
    ),
  );
  const sessions = (await lockSessions(transaction, tenantId, [...phones.keys()])).map((row) => {
    const phone = phones.get(row.id)!;
    return { ...sealed(row, phone), phone };
  });
  const phoneOf = new Map(payments.map(({ id, operatorPhone }) => [id, operatorPhone]));
  if (payments.length > 0) {
    await eraseRows(transaction, {
      tenantId,
      payments: payments.map((row) => sealed(row, row.operatorPhone)),
      refunds: refunds.flatMap((row) => {
        const phone = phoneOf.get(row.paymentId);
        return phone === undefined ? [] : [sealed(row, phone)];
      }),
      sessions,
    });
  }
  const erased = free.map(({ id, operatorPhone, sessionId }) => {
    const own = refunds.filter(({ paymentId }) => paymentId === id);
    const objectIds = [id, ...[sessionId ?? []].flat(), ...own.map((refund) => refund.id)];
    return { id, phone: operatorPhone, objectIds };
  });
  return { erased, waits };

  function sealed<Row extends Hashed>(row: Row, phone: string): Row & { isKeySealed: boolean } {
    const { requestHash, idempotencyKey: key } = row;
    const namesPhone = key !== null && new RegExp(phoneInText(phone)).test(key);
    return {
      ...row,
      isKeySealed: namesPhone,
      idempotencyKey: namesPhone ? requestHashes.sealKey(key) : key,
      requestHash: requestHash && requestHashes.seal(requestHash),
    };
  }
}

/** Erases the events in separate steps, because there can be many. */
export async function eraseEventsOf(
  database: Database,
  tenantId: string,
  erased: readonly ErasedPayment[],
): Promise<void> {
  const phones = new Set(erased.map(({ phone }) => phone).filter((phone) => phone !== erasedPhone));
  const objectIds = [...new Set(erased.flatMap((payment) => payment.objectIds))].sort();
  await eraseEvents(database, { tenantId, objectIds, phones: [...phones] });
}
