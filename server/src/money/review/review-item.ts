import type { OperatorName } from '../../integrations/operators/operator.ts';
import { canonicalName } from '../../integrations/operators/transaction-ids.ts';
import { derivedUuid } from '../../platform/values/ids.ts';

/**
 * UNCLEAR: the operator never reported an outcome. CLASH: its transaction is booked for something else.
 * CONTRADICTION: it says other than our records. UNKNOWN_REFERENCE: our records know nothing of its transaction.
 * MISMATCH: it reports a success that is not what we asked for.
 */
export type ReviewKind = 'UNCLEAR' | 'CLASH' | 'CONTRADICTION' | 'UNKNOWN_REFERENCE' | 'MISMATCH';
export type SubjectKind = 'PAYMENT' | 'REFUND' | 'REVERSAL';

/** What a person must look at. */
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

/** What a review is asked for about. */
export interface Finding {
  kind: ReviewKind;
  /** What makes two findings of one kind about one subject different, such as the operator's transaction. */
  about: string;
  detail: Record<string, unknown>;
}

export interface Subject {
  tenantId: string;
  id: string;
  operator: OperatorName;
}

/** The same finding about the same subject has the same id, however often it is made. */
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
