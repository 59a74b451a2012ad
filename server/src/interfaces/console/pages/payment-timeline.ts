import type { EventHead } from '../../../integrations/events/list-by-object.ts';
import type { Payment, PaymentStatus } from '../../../money/payments/payment.ts';
import type { Refund } from '../../../money/refunds/refund.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { actorText } from '../parts/audit-log.ts';
import { amount, given, instantToSecond } from '../parts/format.ts';
import type { RequestContext } from '../request-context.ts';
import { auditActionText } from '../words/audit-actions.ts';
import { words as allWords } from './payment.words.ts';
import type { PaymentHistory } from './payment-history.ts';

/** One step of a history. */
export interface Entry {
  atMs: number;
  title: Html | string;
  hint?: Html | string | undefined;
  tone?: 'good' | 'bad';
}

/** A payment's history, oldest first. */
export function timeline(visit: RequestContext, payment: Payment, history: PaymentHistory): Html {
  const entries = [
    ...ofPayment(visit, payment, history),
    ...ofOperator(visit, history),
    ...history.refunds.flatMap((refund) => ofRefund(visit, refund, history)),
    ...ofReversals(visit, history),
    ...ofPeople(visit, history),
  ];
  return steps(visit, entries);
}

/** A history's steps, oldest first. */
export function steps(visit: RequestContext, entries: readonly Entry[]): Html {
  const sorted = entries.toSorted((one, other) => one.atMs - other.atMs);
  return html`<ol class="timeline">${sorted.map(
    ({ atMs, title, hint, tone }) =>
      html`<li class="${tone ?? ''}"><p>${title}</p><p class="hint">${instantToSecond(visit, atMs)}${hint === undefined ? undefined : html` · ${hint}`}</p></li>`,
  )}</ol>`;
}

function ofPayment(visit: RequestContext, payment: Payment, history: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  const { status, operatorTxId, failureCode, queryCount, updatedAtMs } = payment;
  const operator = visit.words.operators[payment.operator];
  const made = doneByPerson(visit, history, 'payment.created');
  const entries: Entry[] = [
    { atMs: payment.createdAtMs, title: visit.words.statuses.CREATED!, ...made },
  ];
  const asked = queryCount > 0 ? words.askedTimes(queryCount) : undefined;
  if (payment.sentAtMs !== null) {
    entries.push({ atMs: payment.sentAtMs, title: words.sent(operator), hint: asked });
  }
  if (status === 'USER_CONFIRMING') {
    entries.push({ atMs: updatedAtMs, title: visit.words.statuses.USER_CONFIRMING! });
  }
  if (history.debitedAtMs !== undefined) {
    const hint =
      operatorTxId === null ? undefined : html`${words.transaction} ${given(operatorTxId)}`;
    entries.push({ atMs: history.debitedAtMs, title: words.debited(operator), hint, tone: 'good' });
  }
  const told = closing[status];
  if (told !== undefined) {
    const atMs = history.toldOf(told) ?? updatedAtMs;
    const hint = failureCode === null ? undefined : visit.words.failures[failureCode];
    const by = status === 'CANCELLED' ? doneByPerson(visit, history, 'payment.cancelled') : {};
    entries.push({ atMs, title: visit.words.statuses[status]!, hint, tone: 'bad', ...by });
  }
  const settledAtMs = history.toldOf('payment.settled') ?? history.paidOutAtMs;
  if (settledAtMs !== undefined) {
    entries.push({ atMs: settledAtMs, title: visit.words.statuses.SETTLED!, tone: 'good' });
  }
  return entries;
}

/** Unrequested callbacks; the gateway trusts one only if it proves to be the operator's. */
function ofOperator(visit: RequestContext, { received }: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  return received.map(({ createdAtMs, authenticated }) => ({
    atMs: createdAtMs,
    title: authenticated ? words.received : words.receivedUnproved,
  }));
}

/** For a payment that ended without a debit: the source of that outcome. */
const closing: Partial<Record<PaymentStatus, EventHead['type']>> = {
  FAILED: 'payment.failed',
  EXPIRED: 'payment.expired',
  CANCELLED: 'payment.cancelled',
};

function ofRefund(visit: RequestContext, refund: Refund, history: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  const { status, failureCode, operatorRefundId, reason } = refund;
  const shown = amount(visit, refund.amountMinor, refund.currency);
  const asked: Entry = {
    atMs: refund.createdAtMs,
    title: html`${words.refundAsked} ${shown}`,
    hint: reasonAndWho(given(reason), whoAsked(visit, refund, history)),
  };
  if (status === 'SUCCEEDED') {
    const hint =
      operatorRefundId === null ? undefined : html`${words.transaction} ${given(operatorRefundId)}`;
    return [
      asked,
      { atMs: refund.updatedAtMs, title: html`${words.refundDone} ${shown}`, hint, tone: 'good' },
    ];
  }
  if (status !== 'FAILED') return [asked];
  const hint = failureCode === null ? undefined : visit.words.failures[failureCode];
  return [
    asked,
    { atMs: refund.updatedAtMs, title: html`${words.refundFailed} ${shown}`, hint, tone: 'bad' },
  ];
}

function ofReversals(visit: RequestContext, { reversals, reviewItems }: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  return [
    ...reversals.map(
      ({ createdAtMs, amountMinor, currency, status }): Entry => ({
        atMs: createdAtMs,
        title: html`${words.reversal} ${amount(visit, amountMinor, currency)}`,
        hint: visit.words.statuses[status] ?? status,
        tone: 'bad',
      }),
    ),
    ...reviewItems.map(
      ({ createdAtMs, kind, closedAtMs }): Entry => ({
        atMs: createdAtMs,
        title: words.reviews[kind],
        hint: closedAtMs === null ? words.reviewOpen : words.reviewClosed,
        tone: 'bad',
      }),
    ),
  ];
}

type PersonRecord = PaymentHistory['records'][number];

/** These appear with the step that they caused. */
const toldWithStep = new Set<string>(['payment.created', 'payment.cancelled', 'refund.created']);

function ofPeople(visit: RequestContext, history: PaymentHistory): Entry[] {
  const records = history.records.filter(({ action }) => !toldWithStep.has(action));
  return records.map((record) => ({ atMs: record.atMs, ...doneBy(visit, history, record) }));
}

/** The records of an object, and the names in them. */
export type People = Pick<PaymentHistory, 'records' | 'names'>;

/** A person's step with the author; nothing for a program's. */
export function doneByPerson(
  visit: RequestContext,
  history: People,
  action: PersonRecord['action'],
) {
  const record = history.records.find((each) => each.action === action);
  return record === undefined ? {} : doneBy(visit, history, record);
}

function doneBy(visit: RequestContext, history: People, record: PersonRecord) {
  const { action } = record;
  return {
    title: allWords[visit.language].actions[action] ?? auditActionText(visit.language, action),
    hint: whoDid(visit, history, record),
  };
}

function whoDid(visit: RequestContext, { names }: People, { actor, origin }: PersonRecord): Html {
  const from = origin === null ? undefined : html` · ${given(origin)}`;
  const who =
    actor === visit.author.actor
      ? html`${allWords[visit.language].you}`
      : given(actorText(visit, actor, names));
  return html`${who}${from}`;
}

function whoAsked(
  visit: RequestContext,
  { id }: Refund,
  history: PaymentHistory,
): Html | undefined {
  const name = formatId('re', id);
  const record = history.records.find(
    ({ action, detail }) => action === 'refund.created' && detail?.refund === name,
  );
  return record && whoDid(visit, history, record);
}

function reasonAndWho(reason: Html | undefined, who: Html | undefined): Html | undefined {
  return reason && who ? html`${reason} · ${who}` : (reason ?? who);
}
