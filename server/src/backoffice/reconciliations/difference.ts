import { createHash } from 'node:crypto';
import type { Difference } from '../../money/ledger/reconcile-statement.ts';
import type { Transitions } from '../../platform/values/transitions.ts';

/** SOLVED: a repeated comparison no longer found it. */
export const differenceStatuses = ['OPEN', 'SOLVED', 'EXPLAINED'] as const;
export type DifferenceStatus = (typeof differenceStatuses)[number];

/** The allowed transitions of a difference; a SOLVED difference may come back. */
export const differenceTransitions: Transitions<DifferenceStatus> = {
  OPEN: ['SOLVED', 'EXPLAINED'],
  SOLVED: ['OPEN'],
  EXPLAINED: ['OPEN', 'SOLVED'],
};

/** Why a difference needs no action. OTHER needs a note. */
export const explanations = [
  'NEXT_STATEMENT',
  'OPERATOR_CORRECTED',
  'REFUNDED_BY_OPERATOR',
  'SETTLED_WITH_OPERATOR',
  'DECIDED_IN_REVIEW',
  'OTHER',
] as const;
export type ExplanationReason = (typeof explanations)[number];

/** How long the texts of an explanation may be, in characters. */
export const explanationLimits = { note: 500, operatorReference: 100, atOnce: 100 };

/** A difference with its state of work. */
export interface StoredDifference
  extends Omit<Difference, 'position' | 'tenantId' | 'atMs' | 'reference'> {
  reconciliationId: string;
  id: string;
  identity: Buffer;
  status: DifferenceStatus;
  reference: string | null;
  bookedTenantId: string | null;
  bookedAtMs: number | null;
  reason: ExplanationReason | null;
  note: string | null;
  operatorReference: string | null;
  decidedBy: string | null;
  decidedAtMs: number | null;
  askedAtMs: number | null;
  dueAtMs: number | null;
  reviewId: string | null;
}

/**
 * The identity of a difference across comparisons. Equal differences of one comparison are numbered: a line that is
 * listed three times differs twice.
 */
export function identitiesOf(differences: readonly Difference[]): Buffer[] {
  const seen = new Map<string, number>();
  return differences.map((difference) => {
    const { kind, type, reference, referenceId, transactionId } = difference;
    const { listedMinor, listedCurrency, bookedMinor, bookedCurrency } = difference;
    const sides = [String(listedMinor), listedCurrency, String(bookedMinor), bookedCurrency];
    const about = [kind, type, referenceId ?? reference, transactionId, ...sides];
    const text = JSON.stringify(about);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return createHash('sha256').update(`${text} ${times}`).digest();
  });
}

/** The operator moved money that our records lack, or the reverse: the operator can be queried. */
export const canBeAsked = ({ kind, status, referenceId, bookedTenantId }: StoredDifference) =>
  status === 'OPEN' &&
  kind === 'DIFFERENT_STATUS' &&
  referenceId !== null &&
  bookedTenantId !== null;
