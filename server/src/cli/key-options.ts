import { InvalidArgumentError } from 'commander';
import { minorOf } from '../integrations/operators/amount.ts';
import { parseInstant } from '../platform/formats/instant.ts';
import { isNetwork } from '../platform/network/networks.ts';
import { parsePermissions } from '../tenants/merchants/api-key.ts';
import type { KeyTerms } from '../tenants/merchants/key-restrictions.ts';

const dayMs = 86_400_000;

/** The expiry of a key: an instant, or a duration from now. */
export type Expiry = { atMs: number } | { afterMs: number };

/** The key's properties in the options of `keys create`. */
export interface TermOptions {
  label?: string;
  expires?: Expiry;
  addresses?: string[];
  maxPayment?: bigint;
  maxRefundedPerDay?: bigint;
}

export function termsOf(options: TermOptions, nowMs: number): Partial<KeyTerms> {
  const { label, expires, addresses, maxPayment, maxRefundedPerDay } = options;
  return {
    ...(label !== undefined && { label }),
    ...(expires !== undefined && { expiresAtMs: instantOf(expires, nowMs) }),
    ...(addresses !== undefined && { allowedAddresses: addresses }),
    ...(maxPayment !== undefined && { maxPaymentMinor: maxPayment }),
    ...(maxRefundedPerDay !== undefined && { maxRefundedPerDayMinor: maxRefundedPerDay }),
  };
}

export const instantOf = (expiry: Expiry, nowMs: number): number =>
  'atMs' in expiry ? expiry.atMs : nowMs + expiry.afterMs;

export function expiryOf(text: string): Expiry {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (days !== undefined) return { afterMs: Number(days) * dayMs };
  const atMs = parseInstant(text);
  if (atMs !== undefined) return { atMs };
  throw new InvalidArgumentError(
    'It must be days from now, such as 90d, a day, such as 2027-03-31, or an instant, such as 2027-03-31T12:00:00Z.',
  );
}

export function hoursOf(text: string): number {
  const hours = Number(text);
  if (/^\d{1,3}$/.test(text) && hours <= 720) return hours;
  throw new InvalidArgumentError('It must be a number of hours from 0 to 720.');
}

export function networksOf(text: string): string[] {
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  throw new InvalidArgumentError(
    'It must be addresses and networks separated by commas, such as 192.0.2.7,2001:db8::/48.',
  );
}

/** In major units, as people write amounts. */
export function amountOf(text: string): bigint {
  const amountMinor = minorOf(text);
  if (amountMinor !== undefined) return amountMinor;
  throw new InvalidArgumentError('It must be an amount, such as 100 or 15.20.');
}

export function permissionList(text: string): string[] {
  try {
    return parsePermissions(text.split(',').map((name) => name.trim()));
  } catch (error) {
    throw new InvalidArgumentError(`The ${(error as Error).message}.`);
  }
}
