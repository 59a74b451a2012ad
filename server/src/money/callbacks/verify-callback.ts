import type { Told } from '../../integrations/operators/adapter.ts';
import type { CallbackKind } from '../../integrations/operators/callback-token.ts';
import type { OperatorAnswer } from '../../integrations/operators/operator.ts';

/** What a callback must agree with: a debit, refund or reversal of ours. */
export interface BelievedSubject {
  kind: CallbackKind;
  reference: string;
  amountMinor: bigint;
  currency: string;
}

export interface ReportedOutcome {
  /** What it names, as its adapter reads it; null if it names nothing. */
  about: Told['about'];
  /** What it says of what was asked for. */
  answer: OperatorAnswer | undefined;
  /** It has proved to be the operator's. */
  authenticated: boolean;
  /** The proof is of the sender, not of the body alone: `provesSender`. */
  bySender: boolean;
}

/** Why a callback is not believed. All but NOT_DEFINITE are for a person. NOT_KEPT: there were too many to keep. */
export type Doubt =
  | 'NOT_KEPT'
  | 'NOT_AUTHENTICATED'
  | 'NOT_DEFINITE'
  | 'NOT_UNDERSTOOD'
  | 'REFERENCE_NOT_NAMED'
  | 'OTHER_REFERENCE'
  | 'OTHER_AMOUNT'
  | 'OTHER_CURRENCY';

/**
 * Whether a proven callback that is not believed may tell of a success all the same: it is not what we asked for, or
 * does not say whose it is. What it is about stays open until a person has looked.
 */
export const mayBeDone = (doubt: Doubt, { about, answer }: ReportedOutcome): boolean => {
  if (!about) return false;
  if (doubt === 'REFERENCE_NOT_NAMED') return answer?.kind !== 'failed';
  return doubt === 'OTHER_AMOUNT' || doubt === 'OTHER_CURRENCY' || doubt === 'NOT_UNDERSTOOD';
};

/**
 * Why the callback of an operator that cannot be asked is not believed; undefined: it may be. That its
 * transaction is new to us is seen when it is booked.
 *
 * An outcome counts for what the operator itself says it is about, not for the address that it came to:
 * the address may have leaked, and a signed body can be sent to any address. So it must name our
 * reference, the amount and the currency, whether it succeeded or failed.
 *
 * A refusal may name nothing, as an error object of the GSMA does. It is believed of a debit where the
 * sender is proved, since then it is the operator who chose the address. Were it wrong all the same, a
 * customer who has paid reads FAILED; the success that follows goes to suspense and back. Under a signature
 * alone it is not: one refusal that somebody has seen would fail every payment whose address he knows. Of
 * what goes back to the customer it is never believed: a refund that is FAILED by mistake would be made
 * again, and the money given back twice.
 */
export function doubtOf(told: ReportedOutcome, subject: BelievedSubject): Doubt | undefined {
  const { about, answer } = told;
  if (!told.authenticated) return 'NOT_AUTHENTICATED';
  if (answer?.kind === 'unknown') return 'NOT_DEFINITE';
  if (!about) {
    if (answer?.kind !== 'failed') return 'NOT_UNDERSTOOD';
    return told.bySender && subject.kind === 'DEBIT' ? undefined : 'REFERENCE_NOT_NAMED';
  }
  const { reference: named, amountMinor, currency } = about;
  if (named === undefined || named === null || named === '') return 'REFERENCE_NOT_NAMED';
  if (!isAlike(named, subject.reference)) return 'OTHER_REFERENCE';
  if (!isAlike(currency, subject.currency)) return 'OTHER_CURRENCY';
  if (amountMinor !== subject.amountMinor) return 'OTHER_AMOUNT';
  return answer ? undefined : 'NOT_UNDERSTOOD';
}

/** UUIDs and currencies may be written in capitals or in small letters. */
const isAlike = (named: unknown, ours: string) =>
  typeof named === 'string' && named.toLowerCase() === ours.toLowerCase();
