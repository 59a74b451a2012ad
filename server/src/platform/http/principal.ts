import type { Author } from '../audit/record.ts';
import type { MerchantTerms } from '../values/merchant-terms.ts';

/** The holder of a key of any kind. */
export interface KeyHolder {
  permissions: ReadonlySet<string>;
  key: HeldKey;
  /** A person at a shell of this machine, who needs no key. */
  author?: Author;
}

/** Restrictions that any key may have. */
export interface HeldKey {
  id: string;
  expiresAtMs: number | null;
  /** Tells whether the key may be used from an address; null: from any address. */
  allowsAddress: ((address: string) => boolean) | null;
}

/** The tenant and the rights of a request, from its API key. */
export interface Principal extends KeyHolder {
  tenantId: string;
  merchantId: string;
  mode: 'live' | 'test';
  /** The terms agreed with the merchant. */
  terms: MerchantTerms;
  key: PrincipalKey;
}

/** The API key of a request, and its further limits. */
export interface PrincipalKey extends HeldKey {
  /** The limit for one payment or checkout session, in minor units. */
  maxPaymentMinor: bigint | null;
  /** The limit for all refunds of a day (UTC) in one currency, in minor units. */
  maxRefundedPerDayMinor: bigint | null;
  /** The limit for one disbursement. */
  maxDisbursementMinor: bigint | null;
  /** The limit for all disbursements of a day (UTC) in one currency. */
  maxDisbursedPerDayMinor: bigint | null;
}

/**
 * Returns the holder of a well-formed key, or undefined when the key is unknown or revoked. `admit` is called
 * before a key that has not worked within a day costs a look-up; if it refuses, the key counts as unknown.
 * For a cached key, the result is synchronous, since awaiting would cost more than the look-up.
 */
export type Authenticate<Holder = Principal> = (
  key: string,
  admit?: () => boolean | Promise<boolean>,
) => Holder | undefined | Promise<Holder | undefined>;
