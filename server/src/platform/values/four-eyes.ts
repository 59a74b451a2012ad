import { approvalNeeded } from '../errors/errors.ts';
import type { Currency } from './money.ts';

/** Actions, besides large refunds and disbursements, that may need a second person, by their names in the setting FOUR_EYES. */
export const guardedActs = [
  'settlements',
  'reviews',
  'live-keys',
  'bank-accounts',
  'top-ups',
] as const;
export type GuardedAct = (typeof guardedActs)[number];
export type FourEyes = ReadonlySet<GuardedAct>;

/** In minor units; a currency that is not there has no limit. */
export type AmountLimits = Readonly<Partial<Record<Currency, bigint>>>;

/**
 * No second person: for people with a shell on the server, who could change the database anyway, and for approved
 * actions.
 */
export const noFourEyes: FourEyes = new Set();

const nouns: Record<GuardedAct, string> = {
  settlements: 'Completing or failing a settlement',
  reviews: 'Resolving a review',
  'live-keys': 'A live API key',
  'bank-accounts': 'Changing a bank account',
  'top-ups': "Topping up a merchant's balance",
};

/** @throws FORBIDDEN (ApprovalNeeded) if the setting asks for a second person */
export function requireNoApproval(fourEyes: FourEyes, act: GuardedAct): void {
  if (fourEyes.has(act)) {
    throw approvalNeeded(
      `${nouns[act]} needs the approval of a second person. Request it in the console, where another person approves it.`,
    );
  }
}

/**
 * All refunds of a payment count together, so splitting one does not avoid the approval.
 * @param takenMinor what earlier refunds of the payment have taken, pending ones included
 * @throws FORBIDDEN (ApprovalNeeded)
 */
export function requireSmallRefund(
  limits: AmountLimits,
  currency: Currency,
  { takenMinor, amountMinor }: { takenMinor: bigint; amountMinor: bigint },
): void {
  const limitMinor = limits[currency];
  if (limitMinor === undefined || takenMinor + amountMinor <= limitMinor) return;
  const taken = takenMinor === 0n ? '' : ` (${takenMinor} are refunded already or in progress)`;
  throw approvalNeeded(
    `Refunds of one payment above ${limitMinor} centavos (${currency}) in total need the approval of a second person${taken}. Request this refund on the payment's page in the console; another person approves it there.`,
  );
}

/**
 * The amounts of a batch count together, by currency; fees do not count.
 * @throws FORBIDDEN (ApprovalNeeded)
 */
export function requireSmallDisbursement(
  limits: AmountLimits,
  sums: readonly { currency: Currency; amountMinor: bigint }[],
  what: 'disbursement' | 'batch',
): void {
  for (const { currency, amountMinor } of sums) {
    const limitMinor = limits[currency];
    if (limitMinor === undefined || amountMinor <= limitMinor) continue;
    const those = what === 'batch' ? 'Batches of disbursements' : 'Disbursements';
    throw approvalNeeded(
      `${those} above ${limitMinor} centavos (${currency}) need the approval of a second person. Request this ${what} in the console; another person approves it there.`,
    );
  }
}
