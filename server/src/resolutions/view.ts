import { formatMajor } from '../formats/readable.ts';
import { formatId } from '../ids.ts';
import type { ReviewSubject } from '../review/subjects.ts';
import type { Waiting } from '../review/waiting.ts';
import { idOf, sidesOf, subjectIdOf } from './words.ts';

/** What waits, with both sides, as the API for staff and the command line show it. */
export function viewOf(waiting: Waiting, nowMs: number) {
  const { kind, item, mode, subjectKind, subjectId, subject, operator, sinceMs } = waiting;
  const sides = sidesOf(waiting, nowMs);
  return {
    id: idOf(waiting),
    kind,
    mode,
    operator,
    since: new Date(sinceMs).toISOString(),
    subject: {
      kind: subjectKind,
      id: subjectIdOf(subjectKind, subjectId),
      reference: subjectId,
      ...(subject ? subjectView(subject) : { status: null }),
    },
    ledger: sides.ledger,
    operatorSays: sides.operator,
    detail: item?.detail ?? null,
    closed: item?.closedAtMs ? closingView(item) : null,
  };
}

const closingView = ({ closedAtMs, closedBy, reason }: NonNullable<Waiting['item']>) => ({
  at: new Date(closedAtMs ?? 0).toISOString(),
  by: closedBy,
  reason,
});

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const subjectView = (subject: ReviewSubject) => ({
  status: subject.status,
  merchantId: formatId('me', subject.merchantId),
  merchantName: subject.merchantName,
  paymentId: formatId('pi', subject.paymentId),
  amount: formatMajor(subject.amountMinor),
  currency: subject.currency,
  operatorPhone: subject.phone,
  operatorTxId: subject.operatorTxId,
  debitTxId: subject.debitTxId,
  reason: subject.reason,
  failureCode: subject.failureCode,
  byHand: subject.byHand,
  queryCount: subject.queryCount,
  createdAt: new Date(subject.createdAtMs).toISOString(),
  sentAt: instant(subject.sentAtMs),
  dueAt: instant(subject.dueAtMs),
});
