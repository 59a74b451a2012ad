import {
  canBeAsked,
  differenceStatuses,
  explanationLimits,
  explanations,
  type StoredDifference,
} from '../../../backoffice/reconciliations/difference.ts';
import { listDifferences } from '../../../backoffice/reconciliations/difference-store.ts';
import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { differenceKinds } from '../../../money/ledger/reconcile.ts';
import { referenceOf } from '../../../money/ledger/reconcile-view.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { area, button, type Choice, field, form, select } from '../parts/form.ts';
import { given } from '../parts/format.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import type { Refused } from './reconciliation.ts';
import {
  bookedSide,
  differencePath,
  listedSide,
  madeOf,
  type Names,
  namesOf,
  pageOf,
  wordsOf,
} from './reconciliation-parts.ts';

const pageSize = 25;

/** The differences of a filter, a page of them; those that are open can be explained together. */
export async function differencesCard(
  visit: StaffContext,
  reconciliation: StoredReconciliation,
  refused: Refused | undefined,
): Promise<Html> {
  const words = wordsOf(visit);
  const { query, services } = visit;
  const filter = {
    kind: differenceKinds.find((each) => each === query.get('kind')),
    status: differenceStatuses.find((each) => each === query.get('status')),
    startingAfter: parseId('rd', query.get('starting_after') ?? ''),
  };
  const { id } = reconciliation;
  const found = await listDifferences(services.database, id, filter, pageSize + 1);
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  const names = await namesOf(
    visit,
    shown.map(({ decidedBy }) => decidedBy),
  );
  const isOpen = reconciliation.status === 'OPEN' && visit.can('reconciliations.write');
  const list = html`<div class="differences">${table(words.differences, columns(visit, names, { isOpen, refused }), shown)}</div>`;
  const hasOpen = isOpen && shown.some(({ status }) => status === 'OPEN');
  return html`<section><h2>${words.differences}</h2>
${filters(visit, reconciliation)}
${shown.length === 0 ? empty(words.nothing) : undefined}
${shown.length > 0 && !hasOpen ? list : undefined}
${hasOpen ? form(visit, html`${list}<div class="card">${explanationFields(visit, refused)}<p class="bar">${button('explain', words.explain)} ${shown.some(canBeAsked) ? button('ask', words.ask, 'plain') : undefined}</p></div>`) : undefined}
${pager(visit, pageOf(reconciliation), last && formatId('rd', last.id), { isNewestFirst: false })}</section>`;
}

function filters(visit: StaffContext, reconciliation: StoredReconciliation): Html {
  const words = wordsOf(visit);
  const { query } = visit;
  const all = ['', visit.words.all] as const;
  const kinds = differenceKinds.map((each) => [each, words.kinds[each]] as const);
  const states = differenceStatuses.map((each) => [each, words.differenceStates[each]] as const);
  return html`<form class="filters" action="${visit.to(pageOf(reconciliation))}">
${select('kind', words.kind, [all, ...kinds], { value: query.get('kind') ?? '' })}
${select('status', words.state, [all, ...states], { value: query.get('status') ?? '' })}
<p class="bar"><button class="button plain">${visit.words.apply}</button></p></form>`;
}

/** Why differences need nothing, as a person says it. */
export function explanationFields(visit: StaffContext, refused: Refused | undefined): Html {
  const words = wordsOf(visit);
  const value = (name: string) => refused?.sent.text(name);
  const errors = refused?.errors ?? {};
  // None is chosen before somebody has thought about it.
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
