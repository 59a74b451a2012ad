import type { MerchantTerms } from '../values/merchant-terms.ts';

/** Whoever shows a key, of whatever kind. */
export interface KeyHolder {
  permissions: ReadonlySet<string>;
  key: HeldKey;
}

/** What every key is limited to. */
export interface HeldKey {
  id: string;
  expiresAtMs: number | null;
  /** Says whether the key may be used from an address; null if from everywhere. */
  allowsAddress: ((address: string) => boolean) | null;
}

/** Who a request acts for: what its API key says. */
export interface Principal extends KeyHolder {
  tenantId: string;
  merchantId: string;
  mode: 'live' | 'test';
  /** What is agreed with the merchant. */
  terms: MerchantTerms;
  key: PrincipalKey;
}

/** The API key of a request, and what else it is limited to. */
export interface PrincipalKey extends HeldKey {
  /** Of one payment or checkout session, in minor units. */
  maxPaymentMinor: bigint | null;
  /** Of all refunds of a day (UTC) in one currency, in minor units. */
  maxRefundedPerDayMinor: bigint | null;
}

/**
 * Returns the holder of a well-formed key, or undefined when the key is unknown or revoked. `admit`
 * is called before a key that has not worked within a day costs a look-up; if it refuses, the key counts
 * as unknown. The answer comes at once where the key is known, since waiting would cost more than the look.
 */
export type Authenticate<Holder = Principal> = (
  key: string,
  admit?: () => boolean | Promise<boolean>,
) => Holder | undefined | Promise<Holder | undefined>;
