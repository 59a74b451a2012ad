import type { Waiting } from '../../money/review/open-cases.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import { formatMajor } from '../../platform/formats/display-format.ts';
import { formatId, type IdPrefix } from '../../platform/values/ids.ts';
import { type SideWords, sideWords } from './case-labels.ts';

/** Both sides of an open case. */
export interface Sides {
  ledger: string;
  operator: string;
}

type Detail = Record<string, unknown>;

const prefixes: Record<Exclude<SubjectKind, 'REVERSAL'>, IdPrefix> = {
  PAYMENT: 'pi',
  REFUND: 're',
  DISBURSEMENT: 'di',
};

/** The name for people: reversals by their reference, all others as in the API. */
export const subjectIdOf = (kind: SubjectKind, id: string): string =>
  kind === 'REVERSAL' ? id : formatId(prefixes[kind], id);

/** The argument for the other commands. */
export const idOf = ({ item, subjectKind, subjectId }: Waiting) =>
  item ? formatId('ri', item.id) : subjectIdOf(subjectKind, subjectId);

/** Our records and the operator's answer, each on a line. */
export function sidesOf(waiting: Waiting, nowMs: number, words = sideWords.en): Sides {
  const { ledger, operator } = inFull(waiting, nowMs, words);
  return { ledger: clipped(ledger, longestSide), operator: clipped(operator, longestSide) };
}

/** An operator may write any amount of text; its transactions have up to 256 characters. */
const longestSide = 600;
const longestWord = 120;

function inFull(waiting: Waiting, nowMs: number, words: SideWords): Sides {
  const { kind, item, subject } = waiting;
  const detail = item?.detail ?? {};
  const suspended = inSuspense(words, subject);
  switch (kind) {
    case 'CONTRADICTION':
    case 'MISMATCH':
      return {
        ledger: booked(words, detail, subject),
        operator: describeReport(words, detail, subject),
      };
    case 'CLASH':
      return {
        ledger: clashing(words, detail, waiting),
        operator: describeReport(words, detail, subject),
      };
    case 'UNKNOWN_REFERENCE':
      return { ledger: `${words.nothing}${suspended}`, operator: describeReport(words, detail) };
    case 'UNCLEAR':
    case 'UNANSWERED': {
      const answer = words.answers[String(detail.lastAnswer)] ?? words.noOutcome;
      return { ledger: progressOf(words, subject, nowMs), operator: answer };
    }
    case 'HELD':
      return { ledger: `${words.whatFor}${suspended}`, operator: debitOf(words, subject) };
    case 'LATE':
      return lateSides(words, subject);
    case 'REFUSED': {
      const operator = words.refused(subject?.failureCode);
      return { ledger: `${words.status('FAILED')}${suspended}`, operator };
    }
  }
}

/** The ledger's state when the case was found. */
function booked(words: SideWords, { booked: found }: Detail, subject?: ReviewSubject): string {
  if (!isDetail(found)) return words.nothing;
  if (Array.isArray(found.transactions)) {
    const each = found.transactions.map((one) => transactionOf(words, one as Detail, subject));
    return listed([text(found.outcome), ...(each.length > 0 ? each : [])]);
  }
  const transaction = transactionOf(words, found, subject);
  const status = typeof found.status === 'string' ? words.status(text(found.status)) : '?';
  return listed([status, transaction, found.byHand === true && words.byHand]);
}

function clashing(
  words: SideWords,
  { booked: found, ...detail }: Detail,
  { subjectId }: Waiting,
): string {
  const booking = isDetail(found) ? found : { kind: detail.bookedAs, paymentId: detail.bookedFor };
  const { kind, paymentId, subjectId: givenBackId } = booking;
  if (typeof givenBackId === 'string' && (kind === 'REFUND' || kind === 'REVERSAL')) {
    return words.bookedReturn(kind, subjectIdOf(kind, givenBackId));
  }
  if (typeof givenBackId === 'string' && kind === 'DISBURSEMENT') {
    return words.bookedDisbursement(subjectIdOf(kind, givenBackId));
  }
  const whose = paymentId === subjectId ? words.thisPayment : words.payment(String(paymentId));
  return kind === 'REVERSAL' ? words.bookedReversal(whose) : words.bookedDebit(whose);
}

/** The operator's first answer, and its present one. */
function describeReport(words: SideWords, detail: Detail, subject?: ReviewSubject): string {
  const { newest, ...first } = detail;
  const said = saidIn(words, first, subject);
  if (newest === undefined) return said;
  return `${said}; ${words.later(saidIn(words, { ...first, told: newest }, subject))}`;
}

/** Shows a callback as the operator wrote it. */
function saidIn(words: SideWords, detail: Detail, subject?: ReviewSubject): string {
  const { told: said = detail } = detail;
  if (!isDetail(said)) return clipped(JSON.stringify(said) ?? words.saidNothing);
  const by = detail.by === 'callback' && words.byCallback;
  if (typeof said.errorCode === 'string') {
    return listed([`${text(said.errorCategory)}/${said.errorCode}`, by]);
  }
  if (typeof said.transactionReference === 'string') {
    const { transactionReference, transactionStatus, amount, currency } = said;
    const worth = amount !== undefined && `${text(amount)} ${text(currency)}`;
    return listed([text(transactionStatus), worth, clipped(transactionReference, 256), by]);
  }
  if (said.isReversed === true) return words.reversed;
  if (typeof said.failureCode === 'string') return words.failed(said.failureCode);
  const transaction = transactionOf(words, { ...detail, ...said }, subject);
  if (transaction === '') return clipped(JSON.stringify(said));
  const { debitTxId } = said;
  const listedAs = words.listedAs[String(said.listedAs)];
  const outcome = listedAs ? listed([listedAs, transaction]) : words.succeeded(transaction);
  return listed([outcome, typeof debitTxId === 'string' && words.gaveBack(debitTxId)]);
}

/** The amount and id of a transaction, as far as they are known. */
function transactionOf(words: SideWords, found: Detail, subject?: ReviewSubject): string {
  const id = found.operatorTxId ?? found.operatorRefundId ?? found.operatorReversalId;
  const currency = typeof found.currency === 'string' ? found.currency : subject?.currency;
  const minor = typeof found.amountMinor === 'string' && /^\d+$/.test(found.amountMinor);
  const amountMinor = minor ? BigInt(found.amountMinor as string) : undefined;
  const amount =
    amountMinor !== undefined &&
    (currency ? words.amount(amountMinor, currency) : formatMajor(amountMinor));
  return listed([amount, typeof id === 'string' && id]);
}

function progressOf(words: SideWords, subject: ReviewSubject | undefined, nowMs: number): string {
  if (!subject) return words.nothing;
  const { status, amountMinor, currency, sentAtMs, queryCount } = subject;
  const sent = sentAtMs !== null && words.sent(nowMs - sentAtMs);
  const amount = words.amount(amountMinor, currency);
  return listed([words.status(status), amount, sent, words.queried(queryCount)]);
}

function inSuspense(words: SideWords, subject?: ReviewSubject): string {
  if (subject?.kind !== 'REVERSAL') return '';
  return `; ${words.inSuspense(words.amount(subject.amountMinor, subject.currency))}`;
}

function lateSides(words: SideWords, subject?: ReviewSubject): Sides {
  if (!subject) return { ledger: words.nothing, operator: words.noOutcome };
  const amount = words.amount(subject.amountMinor, subject.currency);
  return {
    ledger: `${words.status(subject.status)}; ${words.missing(amount)}`,
    operator: words.succeeded(listed([amount, subject.operatorTxId ?? false])),
  };
}

const debitOf = (words: SideWords, subject?: ReviewSubject) =>
  subject
    ? words.debited(words.amount(subject.amountMinor, subject.currency), subject.debitTxId)
    : '';

const isDetail = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown) => (typeof value === 'string' ? clipped(value) : '?');

const listed = (parts: (string | false)[]) => parts.filter(Boolean).join(', ');

const clipped = (words: string, most = longestWord) =>
  words.length > most ? `${words.slice(0, most - 1)}…` : words;
