import { subjectIdOf } from '../../../backoffice/resolutions/describe-case.ts';
import { viewFor } from '../../../backoffice/resolutions/view.ts';
import type { Waiting } from '../../../money/review/open-cases.ts';
import type { ReviewSubject } from '../../../money/review/subjects.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { quoted } from '../parts/code-block.ts';
import { amount, given, idText, instant, phone, status } from '../parts/format.ts';
import { plainText, prettyJson } from '../parts/plain-text.ts';
import { type Fact, facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { sides } from './review-comparison.ts';
import { words as allWords } from './reviews.words.ts';

const longestDetail = 20_000;

/** The reason of the case, both sides, further facts, and the operator's original text. */
export function reviewCard(visit: StaffContext, waiting: Waiting): Html {
  const words = allWords[visit.language];
  const { kind, item, subject, subjectKind, subjectId, sinceMs } = waiting;
  const seesPhones = visit.can('phones.read');
  const { detail, subject: shown } = viewFor(seesPhones, waiting, visit.nowMs);
  const customer = 'operatorPhone' in shown ? shown.operatorPhone : null;
  const json = detail === null ? undefined : prettyJson(JSON.stringify(detail));
  return html`<section class="card"><h2>${words.kinds[kind]}</h2>
<p>${words.means[subject?.isLate ? 'LATE' : kind]}</p>
${sides(visit, waiting)}
${facts([
  [words.subjects[subjectKind], subjectName(visit, subjectKind, subjectId)],
  ...(subject ? subjectFacts(visit, subject) : []),
  [words.phone, customer ? phone(customer) : undefined],
  [words.reference, html`<code class="id">${subject?.reference ?? subjectId}</code>`],
  [words.listed, instant(visit, sinceMs)],
  ...closingFacts(visit, item),
])}
${json === undefined ? undefined : html`<details class="more"><summary>${words.detail}</summary>${quoted(words.detail, plainText(json, longestDetail))}</details>`}
</section>`;
}

function subjectName(visit: StaffContext, kind: Waiting['subjectKind'], id: string): Html {
  const name = html`<code class="id">${subjectIdOf(kind, id)}</code>`;
  if (kind !== 'DISBURSEMENT' || !visit.can('payments.read')) return name;
  return html`<a href="${visit.to(`disbursements/${formatId('di', id)}`)}">${name}</a>`;
}

function subjectFacts(visit: StaffContext, subject: ReviewSubject): Fact[] {
  const words = allWords[visit.language];
  const at = (ms: number | null) => (ms === null ? undefined : instant(visit, ms));
  const address = visit.to(`merchants/${formatId('me', subject.merchantId)}`);
  const { failureCode, reason, paymentId } = subject;
  const isReturn = subject.kind !== 'PAYMENT' && paymentId !== null;
  return [
    [words.merchant, html`<a href="${address}">${named(subject.merchantName)}</a>`],
    [words.mode, visit.words[subject.mode]],
    [words.payment, isReturn ? idText('pi', paymentId) : undefined],
    [words.amount, amount(visit, subject.amountMinor, subject.currency)],
    [words.state, status(visit, subject.status)],
    [words.failure, failureCode],
    [words.reason, reason === null ? undefined : (words.reversalReasons[reason] ?? reason)],
    [words.debit, given(subject.debitTxId)],
    [words.transaction, given(subject.operatorTxId)],
    [words.byHand, subject.byHand ? words.yes : undefined],
    [words.created, instant(visit, subject.createdAtMs)],
    [words.sent, at(subject.sentAtMs)],
    [words.queried, subject.queryCount === 0 ? undefined : words.times(subject.queryCount)],
    [words.next, at(subject.dueAtMs)],
  ];
}

function closingFacts(visit: StaffContext, item: Waiting['item']): Fact[] {
  const words = allWords[visit.language];
  if (!item || item.closedAtMs === null) return [];
  return [
    [words.closed, html`${instant(visit, item.closedAtMs)} (${given(item.closedBy)})`],
    [words.closedWhy, given(item.reason, 1_000)],
  ];
}
