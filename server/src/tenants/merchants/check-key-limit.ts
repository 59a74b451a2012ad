import { keyLimitExceeded } from '../../platform/errors/errors.ts';

/**
 * The limit of an API key on one payment, direct or through a checkout session.
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
