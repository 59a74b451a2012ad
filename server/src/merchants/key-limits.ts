import { keyLimitExceeded } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';

/**
 * The limit of an API key on one payment, whether it asks for it itself or through a checkout session.
 * @throws KEY_LIMIT_EXCEEDED
 */
export function checkPaymentLimit(
  key: { maxPaymentMinor: bigint | null } | null,
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
): void {
  const limitMinor = key?.maxPaymentMinor ?? null;
  if (limitMinor !== null && amountMinor > limitMinor) {
    throw keyLimitExceeded(`may ask for payments of at most ${limitMinor} centavos (${currency})`);
  }
}

const addStatement = {
  name: 'api_keys.add_refunded',
  text: `
INSERT INTO api_key_refund_days AS used (tenant_id, key_id, day, currency, amount_minor)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant_id, key_id, day, currency)
  DO UPDATE SET amount_minor = used.amount_minor + excluded.amount_minor
RETURNING amount_minor AS "amountMinor"`,
};

/**
 * Counts a refund towards the daily limit of an API key, in the transaction that makes the refund: it fails with
 * it. Refunds of one such key wait for each other, so that two at once do not exceed it together. What the
 * operator refuses later still counts.
 * @throws KEY_LIMIT_EXCEEDED
 */
export async function countRefund(
  transaction: Queryable,
  key: { id: string; maxRefundedPerDayMinor: bigint | null } | null,
  refund: { tenantId: string; currency: string; amountMinor: bigint; createdAtMs: number },
): Promise<void> {
  const limitMinor = key?.maxRefundedPerDayMinor ?? null;
  if (key === null || limitMinor === null) return;
  const { tenantId, currency, amountMinor, createdAtMs } = refund;
  const day = new Date(createdAtMs).toISOString().slice(0, 10);
  const values = [tenantId, key.id, day, currency, amountMinor.toString()];
  const [used] = await transaction.query<{ amountMinor: bigint }>(addStatement, values);
  if (used!.amountMinor <= limitMinor) return;
  const leftMinor = limitMinor - (used!.amountMinor - amountMinor);
  throw keyLimitExceeded(
    `may refund at most ${limitMinor} centavos (${currency}) a day (UTC); ${leftMinor} are left today`,
  );
}
