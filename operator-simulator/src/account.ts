import type { ProviderDependencies, ProviderSettings } from './provider-settings.ts';
import type { Party, PaymentRequest } from './requests.ts';
import { majorOf, Refused } from './standard.ts';

type AccountDependencies = Pick<ProviderDependencies, 'store' | 'settings'>;

/** What the client's account holds, less what is about to leave it. In minor units. */
export const balanceMinorOf = (
  { store, settings }: AccountDependencies,
  currency: string,
): bigint => (settings.floatMinor ?? 0n) + store.balanceMinor(currency);

/** @throws Refused if the account holds less than the amount */
export function checkFloat(
  dependencies: AccountDependencies,
  { amountMinor, currency }: Pick<PaymentRequest, 'amountMinor' | 'currency'>,
): void {
  if (dependencies.settings.floatMinor === null) return;
  const leftMinor = balanceMinorOf(dependencies, currency);
  if (amountMinor <= leftMinor) return;
  const words = `${majorOf(leftMinor)} ${currency} are left in the account`;
  throw new Refused('businessRule', 'insufficientFunds', words);
}

/** @throws Refused unless one of the parties is the client's account */
export function checkAccount({ account }: ProviderSettings, parties: readonly Party[]): void {
  const { key, value } = account;
  const isOurs = (party: Party) => party.key.toLowerCase() === key && party.value === value;
  if (parties.some(isOurs)) return;
  const words = `the account that this simulator knows is ${key}@${value}`;
  throw new Refused('identification', 'identifierError', words);
}
