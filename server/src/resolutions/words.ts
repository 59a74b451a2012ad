import { formatAge, formatAmount, formatMajor } from '../formats/readable.ts';
import { formatId } from '../ids.ts';
import type { SubjectKind } from '../review/review-item.ts';
import type { ReviewSubject } from '../review/subjects.ts';
import type { Waiting } from '../review/waiting.ts';

/** Both sides of what waits for a person. */
export interface Sides {
  ledger: string;
  operator: string;
}

type Detail = Record<string, unknown>;

/** How people name it: payments and refunds as the API does, reversals by their reference. */
export function subjectIdOf(kind: SubjectKind, id: string): string {
  if (kind === 'REVERSAL') return id;
  return formatId(kind === 'PAYMENT' ? 'pi' : 're', id);
}

/** What a person gives to the other commands. */
export const idOf = ({ item, subjectKind, subjectId }: Waiting) =>
  item ? formatId('ri', item.id) : subjectIdOf(subjectKind, subjectId);

/** What our records say and what the operator says, each on a line. */
export function sidesOf(waiting: Waiting, nowMs: number): Sides {
  const { ledger, operator } = inFull(waiting, nowMs);
  return { ledger: clipped(ledger, longestSide), operator: clipped(operator, longestSide) };
}

/** An operator may write as much as it likes; its transactions have up to 256 characters. */
const longestSide = 600;
const longestWord = 120;

function inFull(waiting: Waiting, nowMs: number): Sides {
  const { kind, item, subject } = waiting;
  const detail = item?.detail ?? {};
  switch (kind) {
    case 'CONTRADICTION':
      return { ledger: booked(detail, subject), operator: told(detail, subject) };
    case 'CLASH':
      return { ledger: clashing(detail, waiting), operator: told(detail, subject) };
    case 'UNKNOWN_REFERENCE':
      return {
        ledger: `nothing under this reference${inSuspense(subject)}`,
        operator: told(detail),
      };
    case 'UNCLEAR':
    case 'UNANSWERED':
      return { ledger: progressOf(subject, nowMs), operator: lastAnswer(detail) };
    case 'HELD':
      return { ledger: `unknown what for${inSuspense(subject)}`, operator: debitOf(subject) };
    case 'REFUSED': {
      const { failureCode } = subject ?? {};
      const operator = `refused to return it (${failureCode ?? 'no reason'})`;
      return { ledger: `FAILED${inSuspense(subject)}`, operator };
    }
  }
}

/** What the ledger said when it was found. */
function booked({ booked: found }: Detail, subject?: ReviewSubject): string {
  if (!isDetail(found)) return 'nothing under this reference';
  if (Array.isArray(found.transactions)) {
    const transactions = found.transactions.map((each) => transactionOf(each as Detail, subject));
    return listed([text(found.outcome), ...(transactions.length > 0 ? transactions : [])]);
  }
  const transaction = transactionOf(found, subject);
  return listed([text(found.status), transaction, found.byHand === true && 'entered by a person']);
}

function clashing({ booked: found, ...detail }: Detail, { subjectId }: Waiting): string {
  const booking = isDetail(found) ? found : { kind: detail.bookedAs, paymentId: detail.bookedFor };
  const { kind, paymentId } = booking;
  const whose =
    paymentId === subjectId ? 'this payment' : `payment ${formatId('pi', String(paymentId))}`;
  if (kind === 'REVERSAL') return `booked as a debit of ${whose} that goes back`;
  return `booked as the debit of ${whose}`;
}

/** A callback is shown as the operator wrote it. */
function told(detail: Detail, subject?: ReviewSubject): string {
  const { told: said = detail } = detail;
  if (!isDetail(said)) return clipped(JSON.stringify(said) ?? 'nothing');
  const by = detail.by === 'callback' && 'by callback';
  if (typeof said.errorCode === 'string') {
    return listed([`${text(said.errorCategory)}/${said.errorCode}`, by]);
  }
  if (typeof said.transactionReference === 'string') {
    const { transactionReference, transactionStatus, amount, currency } = said;
    const worth = amount !== undefined && `${text(amount)} ${text(currency)}`;
    return listed([text(transactionStatus), worth, clipped(transactionReference, 256), by]);
  }
  if (typeof said.failureCode === 'string') return `failed (${said.failureCode})`;
  const transaction = transactionOf({ ...detail, ...said }, subject);
  if (transaction === '') return clipped(JSON.stringify(said));
  return listed([
    `succeeded, ${transaction}`,
    typeof said.debitTxId === 'string' && `gave back ${said.debitTxId}`,
  ]);
}

/** The amount and number of a transaction, as far as they are there. */
function transactionOf(found: Detail, subject?: ReviewSubject): string {
  const id = found.operatorTxId ?? found.operatorRefundId ?? found.operatorReversalId;
  const currency = typeof found.currency === 'string' ? found.currency : subject?.currency;
  const minor = typeof found.amountMinor === 'string' && /^\d+$/.test(found.amountMinor);
  const amountMinor = minor ? BigInt(found.amountMinor as string) : undefined;
  const amount =
    amountMinor !== undefined &&
    (currency ? formatAmount(amountMinor, currency) : formatMajor(amountMinor));
  return listed([amount, typeof id === 'string' && id]);
}

function progressOf(subject: ReviewSubject | undefined, nowMs: number): string {
  if (!subject) return 'nothing under this reference';
  const { status, amountMinor, currency, sentAtMs, queryCount } = subject;
  const sent = sentAtMs !== null && `sent ${formatAge(nowMs - sentAtMs)} ago`;
  const times = queryCount === 1 ? 'once' : `${queryCount} times`;
  const queried = queryCount === 0 ? 'not queried yet' : `queried ${times}`;
  return listed([status, formatAmount(amountMinor, currency), sent, queried]);
}

function lastAnswer({ lastAnswer: answer }: Detail): string {
  const words: Record<string, string> = {
    PENDING: 'it is still pending',
    PROMPTED: 'it is still waiting for the customer',
    NOT_FOUND: 'it does not know the reference',
    UNREACHABLE: 'no usable answer',
    NOT_SENT: 'cannot be reached',
  };
  return words[String(answer)] ?? 'no outcome';
}

function inSuspense(subject?: ReviewSubject): string {
  if (subject?.kind !== 'REVERSAL') return '';
  return `; ${formatAmount(subject.amountMinor, subject.currency)} in suspense`;
}

const debitOf = (subject?: ReviewSubject) =>
  subject
    ? `debited ${formatAmount(subject.amountMinor, subject.currency)}, ${subject.debitTxId}`
    : '';

const isDetail = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown) => (typeof value === 'string' ? clipped(value) : '?');

const listed = (parts: (string | false)[]) => parts.filter(Boolean).join(', ');

const clipped = (words: string, most = longestWord) =>
  words.length > most ? `${words.slice(0, most - 1)}…` : words;
