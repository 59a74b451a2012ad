import type { OperatorName } from '../../integrations/operators/operator.ts';
import { canonicalName } from '../../integrations/operators/transaction-ids.ts';
import { derivedUuid } from '../../platform/values/ids.ts';

/**
 * UNCLEAR: the operator never reported an outcome. CLASH: its transaction is booked for something else.
 * CONTRADICTION: it disagrees with our records. UNKNOWN_REFERENCE: our records lack its transaction. MISMATCH: it
 * reports a success that differs from our request.
 */
export type ReviewKind = 'UNCLEAR' | 'CLASH' | 'CONTRADICTION' | 'UNKNOWN_REFERENCE' | 'MISMATCH';
export type SubjectKind = 'PAYMENT' | 'REFUND' | 'REVERSAL' | 'DISBURSEMENT';

/** A case that a person must look into. */
export interface ReviewItem {
  tenantId: string;
  id: string;
  kind: ReviewKind;
  subjectKind: SubjectKind;
  subjectId: string;
  operator: OperatorName;
  /** Both sides: what our records say, and what the operator said. Amounts are texts, in minor units. */
  detail: Record<string, unknown>;
  createdAtMs: number;
  closedAtMs: number | null;
  closedBy: string | null;
  reason: string | null;
}

/** The subject of a review request. */
export interface Finding {
  kind: ReviewKind;
  /** What distinguishes two findings of one kind about one subject, such as the operator's transaction. */
  about: string;
  detail: Record<string, unknown>;
}

export interface Subject {
  tenantId: string;
  id: string;
  operator: OperatorName;
}

/** The same finding about the same subject has the same id, however often it is found. */
export function reviewItemOf(
  subjectKind: SubjectKind,
  subject: Subject,
  { kind, about, detail }: Finding,
  nowMs: number,
): ReviewItem {
  return {
    tenantId: subject.tenantId,
    id: derivedUuid(subject.id, `${kind} ${canonicalName(about)}`),
    kind,
    subjectKind,
    subjectId: subject.id,
    operator: subject.operator,
    detail,
    createdAtMs: nowMs,
    closedAtMs: null,
    closedBy: null,
    reason: null,
  };
}
