import type { CallbackContent } from '../../integrations/operators/adapter.ts';
import type { CallbackKind } from '../../integrations/operators/callback-token.ts';
import type { OperatorAnswer } from '../../integrations/operators/operator.ts';

/** What a callback must agree with: a debit, refund, reversal or disbursement of ours. */
export interface CallbackExpectation {
  kind: CallbackKind;
  reference: string;
  amountMinor: bigint;
  currency: string;
}

export interface ReportedOutcome {
  /** The object that the callback names, as its adapter reads it; null if it names nothing. */
  about: CallbackContent['about'];
  /** The outcome that the callback reports. */
  answer: OperatorAnswer | undefined;
  /** Whether the callback was authenticated. */
  authenticated: boolean;
  /** The proof covers the sender, not only the body: `provesSender`. */
  bySender: boolean;
}

/**
 * Why a callback is not trusted. All reasons but NOT_DEFINITE go to a person. NOT_KEPT: there were too many callbacks
 * to keep.
 */
export type DistrustReason =
  | 'NOT_KEPT'
  | 'NOT_AUTHENTICATED'
  | 'NOT_DEFINITE'
  | 'NOT_UNDERSTOOD'
  | 'REFERENCE_NOT_NAMED'
  | 'OTHER_REFERENCE'
  | 'OTHER_AMOUNT'
  | 'OTHER_CURRENCY';

/**
 * Whether an authentic callback that is not trusted may report a success all the same: it differs from what we
 * requested, or does not say what it belongs to. The object stays open until a person has looked into it.
 */
export const mayHaveSucceeded = (
  doubt: DistrustReason,
  { about, answer }: ReportedOutcome,
): boolean => {
  if (!about) return false;
  if (doubt === 'REFERENCE_NOT_NAMED') return answer?.kind !== 'failed';
  return doubt === 'OTHER_AMOUNT' || doubt === 'OTHER_CURRENCY' || doubt === 'NOT_UNDERSTOOD';
};

/**
 * Why a callback is not trusted, for an operator without queries; undefined if it is. Whether its transaction is new
 * to us shows when it is booked.
 *
 * What counts is the object that the operator names in the body, not the address that received the callback: the
 * address may have leaked, and a signed body can be sent to any address. So the body must name our reference, the
 * amount and the currency, for a success as for a failure.
 *
 * A refusal may name nothing, like a GSMA error object. We trust it for a debit if the sender is proven, since then
 * the operator chose the address. If it is wrong all the same, a customer who has paid reads FAILED; the success that
 * follows goes to suspense and back. A signature alone is not enough: one leaked refusal could then fail every
 * payment whose address an attacker knows. For money that goes back to the customer we never trust it: a refund that
 * is FAILED by mistake would be made again, and the money returned twice.
 */
export function distrustReasonOf(
  report: ReportedOutcome,
  subject: CallbackExpectation,
): DistrustReason | undefined {
  const { about, answer } = report;
  if (!report.authenticated) return 'NOT_AUTHENTICATED';
  if (answer?.kind === 'unknown' && !answer.reported) return 'NOT_DEFINITE';
  if (!about) {
    if (answer?.kind !== 'failed') return 'NOT_UNDERSTOOD';
    return report.bySender && subject.kind === 'DEBIT' ? undefined : 'REFERENCE_NOT_NAMED';
  }
  const { reference: named, amountMinor, currency } = about;
  if (named === undefined || named === null || named === '') return 'REFERENCE_NOT_NAMED';
  if (!isAlike(named, subject.reference)) return 'OTHER_REFERENCE';
  if (!isAlike(currency, subject.currency)) return 'OTHER_CURRENCY';
  if (amountMinor !== subject.amountMinor) return 'OTHER_AMOUNT';
  return answer && answer.kind !== 'unknown' ? undefined : 'NOT_UNDERSTOOD';
}

/** Operators may write UUIDs and currencies in either case. */
const isAlike = (named: unknown, ours: string) =>
  typeof named === 'string' && named.toLowerCase() === ours.toLowerCase();
