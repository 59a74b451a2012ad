import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { html } from '../../../platform/text/html.ts';
import { parseId } from '../../../platform/values/ids.ts';
import type { Redirect, StaffAction, StaffPage, View } from '../page.ts';
import { type FieldErrors, notice } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { differencesCard } from './reconciliation-difference-list.ts';
import { loadReconciliation, pageOf, wordsOf } from './reconciliation-parts.ts';
import { summary } from './reconciliation-summary.ts';

/** One statement: its result, and its differences, which are processed here. */
export const reconciliationPage: StaffPage = {
  path: 'reconciliations/:id',
  permission: 'reconciliations.read',
  show: (visit) => view(visit),
  actions: {
    again: step(async ({ services, author }, id) => {
      await services.reconciliations.compareAgain(author, id);
      return 'again';
    }),
    explain: step(async ({ services, author }, id, sent) => {
      const given = explanationIn(sent);
      await services.reconciliations.explain(author, id, chosen(sent), given);
      return 'explained';
    }),
    ask: step(async ({ services, author }, id, sent) => {
      await services.reconciliations.ask(author, id, chosen(sent));
      return 'asked';
    }),
  },
};

const chosen = (sent: SentForm) =>
  sent.all('difference').flatMap((text) => parseId('rd', text) ?? []);

export const explanationIn = (sent: SentForm) => ({
  reason: sent.text('reason'),
  note: sent.text('note'),
  operatorReference: sent.text('operatorReference'),
});

/** @returns a word for the result */
type Run = (visit: StaffContext, id: string, sent: SentForm) => Promise<string>;

function step(run: Run): StaffAction {
  return {
    permission: 'reconciliations.write',
    async run(visit, sent): Promise<View | Redirect> {
      const reconciliation = await loadReconciliation(visit);
      try {
        const done = await run(visit, reconciliation.id, sent);
        const { query } = visit;
        const filter = { kind: query.get('kind') ?? '', status: query.get('status') ?? '' };
        return { to: visit.to(pageOf(reconciliation), { ...filter, done }) };
      } catch (error) {
        const errors = mistakesOf(visit, error);
        return { ...(await view(visit, { sent, errors })), status: 400 };
      }
    },
  };
}

/** The mistakes in the forms of differences. */
export function mistakesOf(visit: StaffContext, error: unknown): FieldErrors {
  const { wrongFields: wrong, changed, waiting } = wordsOf(visit);
  const codes = { INVALID_STATE: changed, LIMIT_REACHED: waiting };
  return formErrors(visit, error, { wrong, codes });
}

/** A rejected form. */
export interface Refused {
  sent: SentForm;
  errors: FieldErrors;
}

async function view(visit: StaffContext, refused?: Refused): Promise<View> {
  const words = wordsOf(visit);
  const reconciliation = await loadReconciliation(visit);
  const problem = refused?.errors.page ?? refused?.errors.differences;
  const main = html`${refused === undefined ? doneNotice(visit, words.done) : undefined}
${problem === undefined ? undefined : notice(problem, 'bad')}
${stateNotice(visit, reconciliation)}
${await summary(visit, reconciliation)}
${reconciliation.differenceCount === 0 ? undefined : await differencesCard(visit, reconciliation, refused)}
<p><a href="${visit.to('reconciliations')}">${words.back}</a></p>`;
  const title = `${words.statement}: ${visit.words.operators[reconciliation.operator]}`;
  const shown = { title, main, scripts: ['payments.css', 'staff.css'] };
  return reconciliation.status === 'COMPARING' ? { ...shown, refreshMs: 2_000 } : shown;
}

function stateNotice(visit: StaffContext, { status, failure }: StoredReconciliation) {
  const words = wordsOf(visit);
  if (status === 'COMPARING') return notice(words.comparing);
  if (status === 'MATCHED') return notice(words.matchedHint, 'good');
  return failure === null ? undefined : notice(words.failures[failure], 'bad');
}
