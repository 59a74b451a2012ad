import { approvalNeeded } from '../errors/errors.ts';
import type { Currency } from './money.ts';

/** What may need a second person besides large refunds, by the names of the setting FOUR_EYES. */
export const guardedActs = ['settlements', 'reviews', 'live-keys', 'bank-accounts'] as const;
export type GuardedAct = (typeof guardedActs)[number];
export type FourEyes = ReadonlySet<GuardedAct>;

/** In minor units; a currency that is not there has no limit. */
export type RefundLimits = Readonly<Partial<Record<Currency, bigint>>>;

/** For whoever holds a shell on the server, who could change the database too; and for what was approved. */
export const noFourEyes: FourEyes = new Set();

const nouns: Record<GuardedAct, string> = {
  settlements: 'Completing or failing a settlement',
  reviews: 'Resolving a review',
  'live-keys': 'A live API key',
  'bank-accounts': 'Changing a bank account',
};

/** @throws FORBIDDEN (ApprovalNeeded) if the setting asks for a second person */
export function requireNoApproval(fourEyes: FourEyes, act: GuardedAct): void {
  if (fourEyes.has(act)) {
    throw approvalNeeded(
      `${nouns[act]} needs the approval of a second person. Ask for it in the console, where somebody else approves it.`,
    );
  }
}

/**
 * All refunds of a payment count together, so splitting one does not avoid the approval.
 * @param takenMinor what earlier refunds of the payment have taken, pending ones included
 * @throws FORBIDDEN (ApprovalNeeded)
 */
export function requireSmallRefund(
  limits: RefundLimits,
  currency: Currency,
  { takenMinor, amountMinor }: { takenMinor: bigint; amountMinor: bigint },
): void {
  const limitMinor = limits[currency];
  if (limitMinor === undefined || takenMinor + amountMinor <= limitMinor) return;
  const taken = takenMinor === 0n ? '' : ` (${takenMinor} are refunded already or in progress)`;
  throw approvalNeeded(
    `Refunds of one payment of more than ${limitMinor} centavos (${currency}) in all need the approval of a second person${taken}. Ask for this refund in the console, on the page of the payment; somebody else approves it there.`,
  );
}
