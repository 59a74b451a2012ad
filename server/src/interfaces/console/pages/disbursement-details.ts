import type { Disbursement } from '../../../money/disbursements/disbursement.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { amount, given, idText, instant } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { RequestContext } from '../request-context.ts';
import { failureText } from './disbursements.ts';
import { words as allWords } from './disbursements.words.ts';
import { words as paymentWords } from './payment.words.ts';
import type { loadDisbursementHistory } from './payment-history.ts';
import { doneByPerson, type Entry, steps } from './payment-timeline.ts';

export type DisbursementHistory = Awaited<ReturnType<typeof loadDisbursementHistory>>;

/** Where the money is. */
export function whereItIs(
  { language }: RequestContext,
  row: Disbursement,
  history: Pick<DisbursementHistory, 'postings'>,
): string {
  const { meanings } = allWords[language];
  // Without postings, nothing was taken.
  const isRefused = row.status === 'FAILED' && history.postings.length === 0;
  return meanings[isRefused ? 'REFUSED' : row.status];
}

/** Its details; the recipient's phone and the batch as this reader may see them. */
export function disbursementFacts(
  visit: RequestContext,
  row: Disbursement,
  shown: { phone: Html | string; batch: Html | undefined },
): Html {
  const words = allWords[visit.language];
  const { amountMinor, feeMinor, currency } = row;
  return facts([
    [words.id, idText('di', row.id)],
    [words.created, instant(visit, row.createdAtMs)],
    [words.changed, instant(visit, row.updatedAtMs)],
    [words.sentUntil, row.status === 'CREATED' ? instant(visit, row.expiresAtMs) : undefined],
    [words.phone, shown.phone],
    [words.operator, visit.words.operators[row.operator]],
    [words.transaction, given(row.operatorTxId, 255)],
    [words.amount, amount(visit, amountMinor, currency)],
    [words.fee, amount(visit, feeMinor, currency)],
    [words.total, amount(visit, amountMinor + feeMinor, currency)],
    [words.code, given(row.failureCode)],
    [words.said, given(row.failureMessage, 300)],
    [words.batch, shown.batch],
    [words.order, given(row.externalId, 255)],
    [words.customer, given(row.customerId, 255)],
    [words.description, given(row.description, 2_000)],
  ]);
}

/** What happened, oldest first. */
export const disbursementTimeline = (
  visit: RequestContext,
  row: Disbursement,
  history: DisbursementHistory,
): Html => steps(visit, entriesOf(visit, row, history));

function entriesOf(
  visit: RequestContext,
  row: Disbursement,
  history: DisbursementHistory,
): Entry[] {
  const words = allWords[visit.language];
  const ofPayments = paymentWords[visit.language];
  const { status: reached, operatorTxId, queryCount, updatedAtMs } = row;
  const operator = visit.words.operators[row.operator];
  const made = doneByPerson(visit, history, 'disbursement.created');
  const entries: Entry[] = [
    {
      atMs: row.createdAtMs,
      title: visit.words.statuses.CREATED!,
      ...made,
      ...('title' in made && { title: words.byPerson }),
    },
  ];
  if (row.sentAtMs !== null) {
    const hint = queryCount > 0 ? ofPayments.askedTimes(queryCount) : undefined;
    entries.push({ atMs: row.sentAtMs, title: words.sentTo(operator), hint });
  }
  if (reached === 'SUCCEEDED') {
    const hint =
      operatorTxId === null ? undefined : html`${words.transaction} ${given(operatorTxId)}`;
    entries.push({ atMs: updatedAtMs, title: words.confirmed(operator), hint, tone: 'good' });
  }
  if (reached === 'FAILED' || reached === 'CANCELLED') {
    const hint = failureText(visit, row);
    const by = reached === 'FAILED' ? {} : doneByPerson(visit, history, 'disbursement.cancelled');
    const title = visit.words.statuses[reached]!;
    entries.push({ atMs: updatedAtMs, title, hint, tone: 'bad', ...by });
  }
  for (const { createdAtMs, kind, closedAtMs } of history.reviewItems) {
    const hint = closedAtMs === null ? ofPayments.reviewOpen : ofPayments.reviewClosed;
    entries.push({ atMs: createdAtMs, title: ofPayments.reviews[kind], hint, tone: 'bad' });
  }
  return entries;
}
