import { DomainError, invalid } from '../errors/errors.ts';
import type { Fee } from './fee.ts';

/** The terms agreed between the gateway's operator and a merchant. */
export interface MerchantTerms {
  /** Null: the merchant is active. */
  suspendedAtMs: number | null;
  /** By operator, or `ALL` for all others; without either, the configured fee. */
  fees: Readonly<Record<string, Fee | undefined>>;
  /** The maximum of one payment, in minor units of any currency. */
  maxPaymentMinor: bigint | null;
  disbursements: DisbursementTerms;
}

/** What the merchant may pay out from its balance; limits in minor units of any currency, null: none. */
export interface DisbursementTerms {
  /** With live keys. */
  isAllowed: boolean;
  maxMinor: bigint | null;
  /** The limit for a day (UTC) in one currency. */
  maxPerDayMinor: bigint | null;
  /** The same for one wallet. */
  maxPerWalletAndDayMinor: bigint | null;
  /** What settlements leave in the balance, by currency. */
  keepBalances: Readonly<Record<string, bigint | undefined>>;
}

/** The default terms. */
export const standardTerms: MerchantTerms = {
  suspendedAtMs: null,
  fees: {},
  maxPaymentMinor: null,
  disbursements: {
    isAllowed: false,
    maxMinor: null,
    maxPerDayMinor: null,
    maxPerWalletAndDayMinor: null,
    keepBalances: {},
  },
};

/** The merchant may create nothing new. */
export class MerchantSuspended extends DomainError {
  constructor() {
    super(
      'FORBIDDEN',
      'This merchant is suspended: it cannot create payments, checkout sessions, refunds, disbursements or payouts. Contact the operator of the gateway.',
    );
  }
}

/** @throws FORBIDDEN a suspended merchant may create nothing new */
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

/** The merchant's fee for payments through an operator. @param configured the fee if nothing else was agreed */
export const agreedFee = ({ fees }: MerchantTerms, operator: string, configured: Fee): Fee =>
  fees[operator] ?? fees.ALL ?? configured;
