import { invalid } from '../../platform/errors/errors.ts';
import { isNetwork } from '../../platform/network/networks.ts';
import { isVisible } from '../../platform/text/look-alikes.ts';

/** The terms of a key: its purpose, how long and from where it may be used, and how much it may move. */
export interface KeyTerms {
  label: string | null;
  expiresAtMs: number | null;
  /** Addresses and networks (CIDR); if empty, any address. */
  allowedAddresses: string[];
  /** The limit for one payment or checkout session. */
  maxPaymentMinor: bigint | null;
  /** The limit for a day's (UTC) refunds in one currency. */
  maxRefundedPerDayMinor: bigint | null;
  /** The limit for one disbursement, without its fee. */
  maxDisbursementMinor: bigint | null;
  /** The limit for a day's (UTC) disbursements in one currency. */
  maxDisbursedPerDayMinor: bigint | null;
}

export const unlimitedTerms: KeyTerms = {
  label: null,
  expiresAtMs: null,
  allowedAddresses: [],
  maxPaymentMinor: null,
  maxRefundedPerDayMinor: null,
  maxDisbursementMinor: null,
  maxDisbursedPerDayMinor: null,
};

const longestLabel = 100;
const mostAddresses = 100;

/** @throws VALIDATION_ERROR with the field */
export function checkTerms(terms: KeyTerms, nowMs: number): KeyTerms {
  const label = terms.label === null ? null : terms.label.trim();
  if (label !== null && !isLabel(label)) {
    throw invalid('label', `must have 1 to ${longestLabel} characters on one line`);
  }
  if (terms.expiresAtMs !== null && terms.expiresAtMs <= nowMs) {
    throw invalid('expires', 'must be in the future');
  }
  checkAddresses(terms.allowedAddresses);
  const { maxPaymentMinor: payment, maxRefundedPerDayMinor: refunded } = terms;
  if (payment !== null && payment <= 0n) throw invalid('max-payment', 'must be above 0');
  if (refunded !== null && refunded < 0n)
    throw invalid('max-refunded-per-day', 'must not be below 0');
  const { maxDisbursementMinor: disbursement, maxDisbursedPerDayMinor: disbursed } = terms;
  if (disbursement !== null && disbursement <= 0n)
    throw invalid('max-disbursement', 'must be above 0');
  if (disbursed !== null && disbursed < 0n)
    throw invalid('max-disbursed-per-day', 'must not be below 0');
  return { ...terms, label };
}

const isLabel = (label: string) =>
  isVisible(label) && label.length <= longestLabel && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(label);

function checkAddresses(networks: readonly string[]): void {
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined) {
    const found = JSON.stringify(wrong);
    throw invalid(
      'addresses',
      `must be addresses or networks, such as 192.0.2.7 or 2001:db8::/48; ${found} is neither`,
    );
  }
  if (networks.length > mostAddresses)
    throw invalid('addresses', `must not be more than ${mostAddresses}`);
}
