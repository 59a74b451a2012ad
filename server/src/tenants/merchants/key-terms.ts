import { invalid } from '../../platform/errors/errors.ts';
import { isNetwork } from '../../platform/network/networks.ts';

/** What a key is for, how long and from where it may be used, and how much it may move. */
export interface KeyTerms {
  label: string | null;
  expiresAtMs: number | null;
  /** Addresses and networks (CIDR); none: from everywhere. */
  allowedAddresses: string[];
  /** Of one payment or checkout session. */
  maxPaymentMinor: bigint | null;
  /** Of all refunds of a day (UTC) in one currency. */
  maxRefundedPerDayMinor: bigint | null;
}

export const unlimitedTerms: KeyTerms = {
  label: null,
  expiresAtMs: null,
  allowedAddresses: [],
  maxPaymentMinor: null,
  maxRefundedPerDayMinor: null,
};

const longestLabel = 100;
const mostAddresses = 100;

/** @throws VALIDATION_ERROR naming what is wrong */
export function checkTerms(terms: KeyTerms, nowMs: number): KeyTerms {
  const label = terms.label === null ? null : terms.label.trim();
  if (label !== null && !isLabel(label)) {
    throw invalid('label', `must have 1 to ${longestLabel} characters, in one line`);
  }
  if (terms.expiresAtMs !== null && terms.expiresAtMs <= nowMs) {
    throw invalid('expires', 'must be in the future');
  }
  checkAddresses(terms.allowedAddresses);
  const { maxPaymentMinor: payment, maxRefundedPerDayMinor: refunded } = terms;
  if (payment !== null && payment <= 0n) throw invalid('max-payment', 'must be above 0');
  if (refunded !== null && refunded < 0n)
    throw invalid('max-refunded-per-day', 'must not be below 0');
  return { ...terms, label };
}

const isLabel = (label: string) =>
  label !== '' && label.length <= longestLabel && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(label);

function checkAddresses(networks: readonly string[]): void {
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined) {
    const found = JSON.stringify(wrong);
    throw invalid(
      'addresses',
      `must be addresses or networks, as 192.0.2.7 or 2001:db8::/48; ${found} is neither`,
    );
  }
  if (networks.length > mostAddresses)
    throw invalid('addresses', `must be at most ${mostAddresses}`);
}
