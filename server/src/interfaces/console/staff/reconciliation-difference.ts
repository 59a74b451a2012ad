import {
  canBeAsked,
  type StoredDifference,
} from '../../../backoffice/reconciliations/difference.ts';
import {
  findDifference,
  listDifferences,
} from '../../../backoffice/reconciliations/difference-store.ts';
import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { reviewOf, subjectOf } from '../../../backoffice/reconciliations/request-review.ts';
import { referenceOf } from '../../../money/ledger/reconcile-statement-view.ts';
import { reviewItemsAbout } from '../../../money/review/store.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { Redirect, StaffAction, StaffPage, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import { given, instant } from '../parts/format.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { explanationIn, mistakesOf, type Refused } from './reconciliation.ts';
import { explanationFields } from './reconciliation-difference-list.ts';
import {
  bookedSide,
  differencePath,
  listedSide,
  loadReconciliation,
  madeOf,
  namesOf,
  pageOf,
  wordsOf,
} from './reconciliation-parts.ts';

/** One difference with both sides, and its actions. */
export const differencePage: StaffPage = {
  path: 'reconciliations/:id/differences/:difference',
  permission: 'reconciliations.read',
  show: (visit) => view(visit),
  actions: {
    explain: step(async ({ services, author }, { reconciliationId, id }, sent) => {
      await services.reconciliations.explain(author, reconciliationId, [id], explanationIn(sent));
      return 'explained';
    }),
    ask: step(async ({ services, author }, { reconciliationId, id }) => {
      await services.reconciliations.ask(author, reconciliationId, [id]);
      return 'asked';
    }),
    review: step(async ({ services, author }, { reconciliationId, id }) => {
      await services.reconciliations.requestReview(author, reconciliationId, id);
      return 'review';
    }),
    reopen: step(async ({ services, author }, { reconciliationId, id }) => {
      await services.reconciliations.reopen(author, reconciliationId, id);
      return 'reopened';
    }),
  },
};

/** @returns a word for the result */
type Run = (visit: StaffContext, difference: StoredDifference, sent: SentForm) => Promise<string>;

function step(run: Run): StaffAction {
  return {
    permission: 'reconciliations.write',
    async run(visit, sent): Promise<View | Redirect> {
      const { difference } = await load(visit);
      try {
        const done = await run(visit, difference, sent);
        return { to: visit.to(differencePath(difference), { done }) };
      } catch (error) {
        const errors = mistakesOf(visit, error);
        return { ...(await view(visit, { sent, errors })), status: 400 };
      }
    },
  };
}

interface Shown {
  reconciliation: StoredReconciliation;
  difference: StoredDifference;
}

async function load(visit: StaffContext): Promise<Shown> {
  const reconciliation = await loadReconciliation(visit);
  const id = parseId('rd', visit.params.difference ?? '');
  const { database } = visit.services;
  const difference = id && (await findDifference(database, reconciliation.id, id));
  if (!difference) throw notFound('difference');
  return { reconciliation, difference };
}

async function view(visit: StaffContext, refused?: Refused): Promise<View> {
  const words = wordsOf(visit);
  const shown = await load(visit);
  const { reconciliation, difference } = shown;
  const problem = refused?.errors.page ?? refused?.errors.differences;
  const mayWork = visit.can('reconciliations.write') && reconciliation.status !== 'COMPARING';
  const next = await nextOpen(visit, difference);
  const main = html`${refused === undefined ? doneNotice(visit, words.done) : undefined}
${problem === undefined ? undefined : notice(problem, 'bad')}
<p>${words.advice[difference.kind]}</p>
<section class="card">${await sides(visit, difference)}</section>
${mayWork ? html`<div class="columns">${await actions(visit, shown, refused)}</div>` : undefined}
<p class="bar">${next === undefined ? undefined : html`<a href="${visit.to(differencePath(next))}" rel="next">${words.next}</a>`}
<a href="${visit.to(pageOf(reconciliation))}">${words.backToOne}</a></p>`;
  return { title: words.kinds[difference.kind], main, scripts: ['staff.css'] };
}

/** The next difference to work on: the one after this, otherwise the first. */
async function nextOpen(
  { services }: StaffContext,
  { reconciliationId, id }: StoredDifference,
): Promise<StoredDifference | undefined> {
  const open = { status: 'OPEN' } as const;
  const { database } = services;
  const after = { ...open, startingAfter: id };
  const [next] = await listDifferences(database, reconciliationId, after, 1);
  if (next) return next;
  const [first] = await listDifferences(database, reconciliationId, open, 1);
  return first?.id === id ? undefined : first;
}

async function sides(visit: StaffContext, difference: StoredDifference): Promise<Html> {
  const words = wordsOf(visit);
  const names = await namesOf(visit, [difference.decidedBy]);
  const { bookedAtMs, line, transactionId } = difference;
  const waiting = await openReviews(visit, difference);
  return facts([
    [words.state, madeOf(visit, difference, names)],
    [words.line, line === null ? undefined : String(line)],
    [
      words.reference,
      html`${difference.type} <code class="id">${given(referenceOf(difference))}</code>`,
    ],
    [words.transaction, transactionId === null ? undefined : given(transactionId)],
    [words.statement, listedSide(visit, difference)],
    [
      words.ledger,
      html`${bookedSide(visit, difference)}${bookedAtMs === null ? undefined : html` ${instant(visit, bookedAtMs)}`}`,
    ],
    [words.inReview, waiting.length === 0 ? undefined : html`${waiting}`],
  ]);
}

/** The open case about the same payment, refund or reversal. */
async function openReviews(
  visit: StaffContext,
  { bookedTenantId, referenceId }: StoredDifference,
): Promise<Html[]> {
  if (bookedTenantId === null || referenceId === null || !visit.can('reviews.read')) return [];
  const { database } = visit.services;
  const items = await reviewItemsAbout(database, bookedTenantId, [referenceId]);
  return items
    .filter(({ closedAtMs }) => closedAtMs === null)
    .map(({ id }) => {
      const name = formatId('ri', id);
      return html`<a href="${visit.to(`reviews/${name}`)}"><code class="id">${name}</code></a> `;
    });
}

async function actions(
  visit: StaffContext,
  { reconciliation, difference }: Shown,
  refused: Refused | undefined,
): Promise<Html> {
  const words = wordsOf(visit);
  const card = (title: string, content: Html) =>
    html`<section class="card"><h2>${title}</h2>${form(visit, content)}</section>`;
  const { status } = difference;
  if (status === 'EXPLAINED') return card(words.reopen, button('reopen', words.reopen, 'plain'));
  if (status === 'SOLVED') return html``;
  const subject = await subjectOf(visit.services, difference);
  const isForReview =
    difference.reviewId === null && reviewOf(reconciliation, difference, subject) !== undefined;
  const ask = html`<p class="hint">${words.askHint}</p>${button('ask', words.ask)}`;
  const review = html`<p class="hint">${words.reviewHint}</p>${button('review', words.review, 'plain')}`;
  const explain = html`${explanationFields(visit, refused)}${button('explain', words.explainOne)}`;
  return html`${canBeAsked(difference) ? card(words.ask, ask) : undefined}
${isForReview ? card(words.review, review) : undefined}
${card(words.explainOne, explain)}`;
}
