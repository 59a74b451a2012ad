import type { SubjectKind } from '../../money/review/review-item.ts';

/** A transaction that a person names by the operator's number. */
interface NamedTransaction {
  operatorTxId: string;
  /** The person insists on the number, although the operator's API does not confirm it. */
  isUnconfirmed?: true;
}

/** The outcome that the operator told a person, or a person's decision. */
export type Finding =
  | ({ kind: 'DEBITED'; amountMinor: bigint; isOtherAmount: boolean } & NamedTransaction)
  | { kind: 'NOT_DEBITED' }
  | ({ kind: 'REFUNDED' } & NamedTransaction)
  | { kind: 'NOT_REFUNDED' }
  | ({ kind: 'GIVEN_BACK' } & NamedTransaction)
  | { kind: 'NOT_GIVEN_BACK' }
  | { kind: 'REVERSE' }
  | ({ kind: 'PAID_OUT' } & NamedTransaction)
  | { kind: 'NOT_PAID_OUT' }
  | { kind: 'CHARGE' }
  | { kind: 'WRITE_OFF' };

export type FindingOf<Kind extends Finding['kind']> = Extract<Finding, { kind: Kind }>;
export type PaymentFinding = FindingOf<'DEBITED' | 'NOT_DEBITED'>;
export type RefundFinding = FindingOf<'REFUNDED' | 'NOT_REFUNDED'>;
export type ReversalFinding = FindingOf<'GIVEN_BACK' | 'NOT_GIVEN_BACK' | 'REVERSE'>;
export type DisbursementFinding = FindingOf<'PAID_OUT' | 'NOT_PAID_OUT' | 'CHARGE' | 'WRITE_OFF'>;

/** The possible findings for each, in the notation of the command line. */
export const ways: Record<SubjectKind, string> = {
  PAYMENT: '--debited TRANSACTION --amount AMOUNT, or --not-debited',
  REFUND: '--refunded TRANSACTION, or --not-refunded',
  REVERSAL: '--given-back TRANSACTION, --not-given-back, or --reverse',
  DISBURSEMENT: '--paid-out TRANSACTION, --not-paid-out, --charge, or --write-off',
};

/** The kinds of object that each finding applies to. */
export const subjectOf: Record<Finding['kind'], SubjectKind> = {
  DEBITED: 'PAYMENT',
  NOT_DEBITED: 'PAYMENT',
  REFUNDED: 'REFUND',
  NOT_REFUNDED: 'REFUND',
  GIVEN_BACK: 'REVERSAL',
  NOT_GIVEN_BACK: 'REVERSAL',
  REVERSE: 'REVERSAL',
  PAID_OUT: 'DISBURSEMENT',
  NOT_PAID_OUT: 'DISBURSEMENT',
  CHARGE: 'DISBURSEMENT',
  WRITE_OFF: 'DISBURSEMENT',
};

/** The findings that may fit the present state of an object, of those for its kind. */
export const fits = (
  kind: Finding['kind'],
  subject: { kind: SubjectKind; status: string; isLate: boolean },
): boolean => {
  if (subjectOf[kind] !== subject.kind) return false;
  if (kind === 'REVERSE') return subject.status === 'HELD';
  const isOfLate = kind === 'CHARGE' || kind === 'WRITE_OFF';
  return isOfLate ? subject.isLate : !subject.isLate;
};

type UnnamedFinding = Exclude<Finding, NamedTransaction>['kind'];

export const findings = Object.keys(subjectOf) as Finding['kind'][];

/** The findings that name a transaction of the operator. */
export const namesTransaction = (kind: Finding['kind']): boolean =>
  kind === 'DEBITED' || kind === 'REFUNDED' || kind === 'GIVEN_BACK' || kind === 'PAID_OUT';

/** A finding as texts, to be stored as JSON. */
export const writtenFinding = (finding: Finding): Record<string, string> =>
  Object.fromEntries(Object.entries(finding).map(([name, value]) => [name, String(value)]));

/** Parses the output of {@link writtenFinding}. */
export function readFinding(written: Record<string, string>): Finding {
  const { kind, amountMinor = '0', isOtherAmount, isUnconfirmed } = written;
  const { operatorTxId = '' } = written;
  const named = { operatorTxId, ...(isUnconfirmed === 'true' && { isUnconfirmed: true as const }) };
  switch (kind as Finding['kind']) {
    case 'DEBITED': {
      const isOther = isOtherAmount === 'true';
      return {
        kind: 'DEBITED',
        ...named,
        amountMinor: BigInt(amountMinor),
        isOtherAmount: isOther,
      };
    }
    case 'REFUNDED':
    case 'GIVEN_BACK':
    case 'PAID_OUT':
      return { kind: kind as 'REFUNDED' | 'GIVEN_BACK' | 'PAID_OUT', ...named };
    default:
      return { kind: kind as UnnamedFinding };
  }
}
