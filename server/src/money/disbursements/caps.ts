import { DomainError, keyLimitExceeded } from '../../platform/errors/errors.ts';
import type { DisbursementTerms } from '../../platform/values/merchant-terms.ts';

/** The sums of a day: of the merchant (with an empty key), of an API key, and of a wallet. */
export const dayScopes = ['MERCHANT', 'KEY', 'WALLET'] as const;
export type DayScope = (typeof dayScopes)[number];

/** The limits of one API key; null: none. */
export interface KeyCaps {
  maxDisbursementMinor: bigint | null;
  maxDisbursedPerDayMinor: bigint | null;
}

/** An amount to be disbursed on a day (UTC). Fees do not count. */
interface Asked {
  amountMinor: bigint;
  currency: string;
}

/** A limit that staff have agreed with the merchant. */
export class MerchantLimit extends DomainError {
  /** Of one disbursement, or of the day of the merchant or of one wallet. */
  readonly scope: 'ONE' | 'MERCHANT' | 'WALLET';
  readonly limitMinor: bigint;

  constructor(message: string, scope: MerchantLimit['scope'], limitMinor: bigint) {
    super('FORBIDDEN', message, 'amount');
    this.name = 'MerchantLimit';
    this.scope = scope;
    this.limitMinor = limitMinor;
  }
}

/**
 * The limits on one disbursement.
 * @throws KEY_LIMIT_EXCEEDED of the API key
 * @throws FORBIDDEN of the merchant
 */
export function checkLargest(
  key: KeyCaps | null,
  terms: DisbursementTerms,
  { amountMinor, currency }: Asked,
): void {
  const ofKey = key?.maxDisbursementMinor ?? null;
  if (ofKey !== null && amountMinor > ofKey)
    throw keyLimitExceeded(
      `may disburse at most ${ofKey} centavos (${currency}) in one disbursement`,
    );
  if (terms.maxMinor !== null && amountMinor > terms.maxMinor)
    throw new MerchantLimit(
      `This merchant may disburse at most ${terms.maxMinor} centavos (${currency}) in one disbursement.`,
      'ONE',
      terms.maxMinor,
    );
}

/** A sum of a day that a disbursement counts towards. */
export interface CountedDay {
  scope: DayScope;
  /** Empty, the UUID of an API key, or the digest of a phone in hexadecimal. */
  scopeKey: string;
  /** Null: it is counted, and not limited now. */
  limitMinor: bigint | null;
}

/** The sums that a disbursement counts towards. */
export function daysOf(of: {
  apiKey: (KeyCaps & { id: string }) | null;
  /** Null: no key opens the digests. */
  walletDigest: string | null;
  terms: DisbursementTerms;
}): CountedDay[] {
  const { apiKey, walletDigest, terms } = of;
  const ofWallet = terms.maxPerWalletAndDayMinor;
  if (walletDigest === null && ofWallet !== null) {
    throw new DomainError(
      'UNAVAILABLE',
      'The daily limit of a wallet cannot be checked at the moment: the gateway’s secret key has changed. Contact the operator of the gateway.',
    );
  }
  const days: CountedDay[] = [
    { scope: 'MERCHANT', scopeKey: '', limitMinor: terms.maxPerDayMinor },
  ];
  if (apiKey)
    days.push({ scope: 'KEY', scopeKey: apiKey.id, limitMinor: apiKey.maxDisbursedPerDayMinor });
  if (walletDigest !== null)
    days.push({ scope: 'WALLET', scopeKey: walletDigest, limitMinor: ofWallet });
  return days;
}

/** The refusal by the first limit of a day that an amount exceeds. @param usedMinor counted so far */
export function exceededDay(
  days: readonly CountedDay[],
  { amountMinor, currency }: Asked,
  usedMinor: (day: CountedDay) => bigint,
): DomainError | undefined {
  for (const day of days) {
    const { scope, limitMinor } = day;
    if (limitMinor === null) continue;
    const used = usedMinor(day);
    if (used + amountMinor <= limitMinor) continue;
    const left = limitMinor > used ? limitMinor - used : 0n;
    const most = `at most ${limitMinor} centavos (${currency}) a day (UTC)`;
    return errorOf({ scope, limitMinor }, most, `${left} are left today`);
  }
  return undefined;
}

function errorOf(
  { scope, limitMinor }: { scope: DayScope; limitMinor: bigint },
  most: string,
  left: string,
): DomainError {
  if (scope === 'KEY') return keyLimitExceeded(`may disburse ${most}; ${left}`);
  const to = scope === 'WALLET' ? ' to one wallet' : '';
  const message = `This merchant may disburse${to} ${most}; ${left}.`;
  return new MerchantLimit(message, scope, limitMinor);
}
