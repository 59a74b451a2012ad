import type { Waiting } from '../../money/review/open-cases.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import { withoutPhones } from '../../platform/audit/mask.ts';
import { formatMajor } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import { type SideWords, sideWords } from './case-labels.ts';
import { idOf, sidesOf, subjectIdOf } from './describe-case.ts';

/** Numbers of money and of transactions, which can look like phone numbers. */
const isNumber = /(minor|amount|txid|reference|refundid|reversalid)$/i;

/**
 * The same for the gateway's staff and their programs: only some may read phones, and an operator may write phones
 * into any text.
 */
export function viewFor(
  seesPhones: boolean,
  waiting: Waiting,
  nowMs: number,
  words?: SideWords,
): ReturnType<typeof viewOf> {
  const view = viewOf(waiting, nowMs, words);
  if (seesPhones) return view;
  const phone = waiting.subject?.phone ?? null;
  const operatorPhone = phone === null ? null : maskPhone(phone);
  return {
    ...view,
    subject: { ...view.subject, ...(waiting.subject && { operatorPhone }) },
    operatorSays: withoutPhones(view.operatorSays),
    detail: JSON.parse(JSON.stringify(view.detail), (name, value: unknown) =>
      typeof value === 'string' && !isNumber.test(name) ? withoutPhones(value) : value,
    ) as typeof view.detail,
  };
}

/** An open case, with both sides, as the command line shows it. */
export function viewOf(waiting: Waiting, nowMs: number, words = sideWords.en) {
  const { kind, item, mode, subjectKind, subjectId, subject, operator, sinceMs } = waiting;
  const sides = sidesOf(waiting, nowMs, words);
  return {
    id: idOf(waiting),
    kind,
    mode,
    operator,
    since: new Date(sinceMs).toISOString(),
    subject: {
      kind: subjectKind,
      id: subjectIdOf(subjectKind, subjectId),
      reference: subject?.reference ?? subjectId,
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
  paymentId: subject.paymentId === null ? null : formatId('pi', subject.paymentId),
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
