import type { StoredReconciliation } from '../../../backoffice/reconciliations/reconciliation.ts';
import { listReconciliations } from '../../../backoffice/reconciliations/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { StaffPage } from '../page.ts';
import { given, instant } from '../parts/format.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import {
  actorText,
  addressOf,
  type Names,
  namesOf,
  periodText,
  progressBar,
  stateText,
  wordsOf,
} from './reconciliation-parts.ts';

const pageSize = 25;

/** Statements of operators that were uploaded, and how far each is worked through. */
export const reconciliationsPage: StaffPage = {
  path: 'reconciliations',
  permission: 'reconciliations.read',
  async show(visit) {
    const words = wordsOf(visit);
    const startingAfter = parseId('rc', visit.query.get('starting_after') ?? '');
    const { database } = visit.services;
    const found = await listReconciliations(database, { startingAfter }, pageSize + 1);
    const shown = found.slice(0, pageSize);
    const last = found.length > pageSize ? shown.at(-1) : undefined;
    const names = await namesOf(
      visit,
      shown.map(({ uploadedBy }) => uploadedBy),
    );
    const list = table(words.title, columns(visit, names), shown);
    const main = html`<p>${words.hint}</p>
${visit.can('reconciliations.write') ? html`<p class="bar"><a class="button primary" href="${visit.to('reconciliations/new')}">${words.upload}</a></p>` : undefined}
${shown.length === 0 ? empty(words.none, words.noneHint) : list}
${pager(visit, 'reconciliations', last && formatId('rc', last.id))}`;
    const isLive = shown.some(({ status }) => status === 'COMPARING');
    const view = { title: words.title, main, scripts: ['payments.css', 'staff.css'] };
    return isLive ? { ...view, refreshMs: 3_000 } : view;
  },
};

function columns(visit: StaffContext, names: Names): Column<StoredReconciliation>[] {
  const words = wordsOf(visit);
  const under = (content: Html | string | undefined) =>
    content === undefined ? undefined : html`<span class="under">${content}</span>`;
  return [
    {
      head: words.file,
      cell: (row) =>
        html`<span><a href="${addressOf(visit, row)}"><b>${given(row.fileName, 60)}</b></a>${under(periodText(visit, row))}</span>`,
    },
    {
      head: words.operator,
      cell: ({ operator, mode }) =>
        html`<span>${visit.words.operators[operator]}${under(visit.words[mode])}</span>`,
    },
    { head: words.state, cell: (row) => stateText(visit, row) },
    { head: words.progress, cell: (row) => progressBar(visit, row) },
    {
      head: words.uploaded,
      cell: (row) =>
        html`<span>${instant(visit, row.createdAtMs)}${under(actorText(row.uploadedBy, names))}</span>`,
    },
  ];
}
