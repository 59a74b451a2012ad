import type { Payment } from '../../money/payments/payment.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { firstUuidAt } from '../../platform/values/ids.ts';

/** How many attempts without a debit a phone may have within a period. */
export interface AttemptLimit {
  count: number;
  windowMs: number;
}

const lockStatement = {
  name: 'checkout_prompts.lock',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
};

const countStatement = {
  name: 'checkout_prompts.count',
  text: `
SELECT count(*)::integer AS count FROM payments
WHERE tenant_id = $1 AND operator_phone = $2 AND checkout_session_id IS NOT NULL AND id >= $3
  AND status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING', 'FAILED', 'EXPIRED', 'CANCELLED')`,
};

/**
 * Whether the phone may be prompted once more. Attempts on one phone wait for each other until their transactions
 * end; otherwise concurrent attempts would all pass.
 */
export async function mayAttempt(
  transaction: Queryable,
  { tenantId, operatorPhone, createdAtMs }: Payment,
  { count, windowMs }: AttemptLimit,
): Promise<boolean> {
  await transaction.query(lockStatement, [`${tenantId} ${operatorPhone}`]);
  // An id starts with the instant of creation, so the index of phones finds those of the window.
  const values = [tenantId, operatorPhone, firstUuidAt(createdAtMs - windowMs + 1)];
  const [row] = await transaction.query<{ count: number }>(countStatement, values);
  return row!.count < count;
}
