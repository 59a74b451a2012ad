import { InvalidArgumentError } from 'commander';
import { minorOf } from '../integrations/operators/amount.ts';
import { parseInstant } from '../platform/formats/instant.ts';
import { isNetwork } from '../platform/network/networks.ts';

const dayMs = 86_400_000;

/** An instant; days count from this machine's clock. */
export function expiryOf(text: string): Date {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (days !== undefined) return new Date(Date.now() + Number(days) * dayMs);
  const atMs = parseInstant(text);
  if (atMs !== undefined) return new Date(atMs);
  throw new InvalidArgumentError(
    'It must be days from now, such as 90d, a day, such as 2027-03-31, or an instant, such as 2027-03-31T12:00:00Z.',
  );
}

export function hoursOf(text: string): number {
  const hours = Number(text);
  if (/^\d{1,3}$/.test(text) && hours <= 720) return hours;
  throw new InvalidArgumentError('It must be a number of hours from 0 to 720.');
}

const namesOf = (text: string) => text.split(',').map((name) => name.trim());

export function networksOf(text: string): string[] {
  const networks = namesOf(text);
  if (networks.every(isNetwork)) return networks;
  throw new InvalidArgumentError(
    'It must be addresses and networks separated by commas, such as 192.0.2.7,2001:db8::/48.',
  );
}

/** People write amounts in major units; the API takes centavos. */
export function amountOf(text: string): string {
  const amountMinor = minorOf(text);
  if (amountMinor !== undefined) return amountMinor.toString();
  throw new InvalidArgumentError('It must be an amount, such as 100 or 15.20.');
}

/** Parses a list of permissions with the parser of this kind of keys. */
export function permissionsOf<T>(parse: (names: string[]) => T, text: string): T {
  try {
    return parse(namesOf(text));
  } catch (error) {
    throw new InvalidArgumentError(`The ${(error as Error).message}.`);
  }
}
