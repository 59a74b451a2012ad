import {
  canBeAsked,
  differenceStatuses,
  explanationLimits,
  explanations,
  type StoredDifference,
} from '../../../backoffice/reconciliations/difference.ts';
import { listDifferences } from '../../../backoffice/reconciliations/difference-store.ts';
import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { differenceKinds } from '../../../money/ledger/reconcile-statement.ts';
import { referenceOf } from '../../../money/ledger/reconcile-statement-view.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { area, button, type Choice, field, form, select } from '../parts/form.ts';
import { given } from '../parts/format.ts';
import { listSection } from '../parts/list-page.ts';
import { type Column, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import type { Refused } from './reconciliation.ts';
import { words as allWords } from './reconciliation.words.ts';
import {
  bookedSide,
  differencePath,
  listedSide,
  madeOf,
  type Names,
  namesOf,
  wordsOf,
} from './reconciliation-parts.ts';

/** A page of filtered differences; open ones can be explained together. */
export async function differencesCard(
  visit: StaffContext,
  reconciliation: StoredReconciliation,
  refused: Refused | undefined,
): Promise<Html> {
  const isOpen = reconciliation.status === 'OPEN' && visit.can('reconciliations.write');
  const list = await listSection(visit, {
    words: listWords,
    isOldestFirst: true,
    filters: (_, words) =>
      filtersOf(visit, {
        kind: choice(visit, words.kind, differenceKinds, words.kinds),
        status: choice(visit, words.state, differenceStatuses, words.differenceStates),
      }),
    load: ({ services }, filter, { limit, startingAfter }) =>
      listDifferences(
        services.database,
        reconciliation.id,
        { ...filter, startingAfter },
        limit + 1,
      ),
    cursor: 'rd',
    async render(_, words, rows) {
      const names = await namesOf(
        visit,
        rows.map(({ decidedBy }) => decidedBy),
      );
      const shown = table(words.title, columns(visit, names, { isOpen, refused }), rows);
      const differences = html`<div class="differences">${shown}</div>`;
      if (!isOpen || !rows.some(({ status }) => status === 'OPEN')) return differences;
      const ask = rows.some(canBeAsked) ? button('ask', words.ask, 'plain') : undefined;
      return form(
        visit,
        html`${differences}<div class="card">${explanationFields(visit, refused)}<p class="bar">${button('explain', words.explain)} ${ask}</p></div>`,
      );
    },
  });
  return html`<section><h2>${wordsOf(visit).differences}</h2>
${list}</section>`;
}

const listWordsOf = (words: (typeof allWords)['pt']) => ({
  ...words,
  title: words.differences,
  nothing: words.noDifferences,
  nothingHint: '',
});
const listWords = { pt: listWordsOf(allWords.pt), en: listWordsOf(allWords.en) };

/** A person's reason why differences need no action. */
export function explanationFields(visit: StaffContext, refused: Refused | undefined): Html {
  const words = wordsOf(visit);
  const value = (name: string) => refused?.sent.text(name);
  const errors = refused?.errors ?? {};
  // No reason is preselected, so that the person thinks first.
  const reasons = ['' as const, ...explanations].map(
    (each): Choice => [each, each && words.reasons[each]],
  );
  const { note, operatorReference } = explanationLimits;
  return html`${select('reason', words.reason, reasons, { value: value('reason'), error: errors.reason })}
${area('note', words.note, { value: value('note'), hint: words.noteHint, error: errors.note, maxLength: note })}
${field('operatorReference', words.operatorReference, { value: value('operatorReference'), error: errors.operatorReference, maxLength: operatorReference })}`;
}

function columns(
  visit: StaffContext,
  names: Names,
  { isOpen, refused }: { isOpen: boolean; refused: Refused | undefined },
): Column<StoredDifference>[] {
  const words = wordsOf(visit);
  const sent = new Set(refused?.sent.all('difference'));
  const under = (content: Html | string | undefined) => html`<span class="under">${content}</span>`;
  const tick = (each: StoredDifference) => {
    const id = formatId('rd', each.id);
    const name = `${words.tick}: ${words.kinds[each.kind]}, ${referenceOf(each)}`;
    const checked = sent.has(id) ? html` checked` : undefined;
    return html`<input type="checkbox" name="difference" value="${id}" aria-label="${name}"${checked}>`;
  };
  const choice: Column<StoredDifference> = {
    head: words.tick,
    cell: (each) => (each.status === 'OPEN' ? tick(each) : undefined),
  };
  return [
    ...(isOpen ? [choice] : []),
    {
      head: words.kind,
      cell: (each) =>
        html`<span><a href="${visit.to(differencePath(each))}"><b>${words.kinds[each.kind]}</b></a>${each.line === null ? undefined : under(`${words.line} ${each.line}`)}</span>`,
    },
    {
      head: words.reference,
      cell: (each) =>
        html`<span>${each.type} <code class="id">${given(referenceOf(each), 60)}</code>${each.transactionId === null ? undefined : under(given(each.transactionId, 60))}</span>`,
    },
    { head: words.statement, cell: (each) => listedSide(visit, each) },
    { head: words.ledger, cell: (each) => bookedSide(visit, each) },
    { head: words.made, cell: (each) => madeOf(visit, each, names) },
  ];
}
