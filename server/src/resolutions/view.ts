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

const subjectView = (subject: ReviewSubject) => ({
  status: subject.status,
  merchantId: formatId('me', subject.merchantId),
  paymentId: formatId('pi', subject.paymentId),
  amount: formatMajor(subject.amountMinor),
  currency: subject.currency,
  operatorPhone: subject.phone,
  operatorTxId: subject.operatorTxId,
  debitTxId: subject.debitTxId,
  failureCode: subject.failureCode,
  byHand: subject.byHand,
  sentAt: subject.sentAtMs === null ? null : new Date(subject.sentAtMs).toISOString(),
});
