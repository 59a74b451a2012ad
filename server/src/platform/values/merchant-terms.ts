import { DomainError, invalid } from '../errors/errors.ts';
import type { Fee } from './fee.ts';

/** What the company that runs the gateway agrees with a merchant. */
export interface MerchantTerms {
  /** Null: the merchant works. */
  suspendedAtMs: number | null;
  /** By operator, or `ALL` for those that are not named; without either, the configured fee. */
  fees: Readonly<Record<string, Fee | undefined>>;
  /** Of one payment, in minor units of whichever currency. */
  maxPaymentMinor: bigint | null;
}

/** Those of a merchant with whom nothing else was agreed. */
export const standardTerms: MerchantTerms = {
  suspendedAtMs: null,
  fees: {},
  maxPaymentMinor: null,
};

/** The merchant takes nothing new. */
export class MerchantSuspended extends DomainError {
  constructor() {
    super(
      'FORBIDDEN',
      'This merchant is suspended: it takes no new payments, checkout sessions, refunds or payouts. Ask whoever runs the gateway.',
    );
  }
}

/** @throws FORBIDDEN a suspended merchant takes nothing new */
export function requireActive({ suspendedAtMs }: Pick<MerchantTerms, 'suspendedAtMs'>): void {
  if (suspendedAtMs !== null) throw new MerchantSuspended();
}

/**
 * @throws FORBIDDEN the merchant is suspended
 * @throws VALIDATION_ERROR the amount is more than the merchant may take at once
 */
export function requireWithinTerms(terms: MerchantTerms, amountMinor: bigint): void {
  requireActive(terms);
  const { maxPaymentMinor } = terms;
  if (maxPaymentMinor !== null && amountMinor > maxPaymentMinor) {
    throw invalid('amount', `must be at most ${maxPaymentMinor}, the limit of this merchant`);
  }
}

/** What an operator's payments cost the merchant. @param configured where nothing else was agreed */
export const agreedFee = ({ fees }: MerchantTerms, operator: string, configured: Fee): Fee =>
  fees[operator] ?? fees.ALL ?? configured;
