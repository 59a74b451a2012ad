import { listReconciliations } from '../../../backoffice/reconciliations/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { StaffPage } from '../page.ts';
import { given, instant } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { words } from './reconciliation.words.ts';
import {
  actorText,
  addressOf,
  namesOf,
  periodText,
  progressBar,
  stateText,
} from './reconciliation-parts.ts';

/** Uploaded statements of operators, with their progress. */
export const reconciliationsPage: StaffPage = listPage({
  path: 'reconciliations',
  permission: 'reconciliations.read',
  words,
  create: {
    page: 'reconciliations/new',
    permission: 'reconciliations.write',
    label: ({ upload }) => upload,
  },
  load: ({ services }, _, { limit, startingAfter }) =>
    listReconciliations(services.database, { startingAfter }, limit + 1),
  cursor: 'rc',
  async columns(visit, words, rows) {
    const names = await namesOf(
      visit,
      rows.map(({ uploadedBy }) => uploadedBy),
    );
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
  },
  scripts: ['payments.css', 'staff.css'],
  refreshMs: 3_000,
  refreshWhile: (rows) => rows.some(({ status }) => status === 'COMPARING'),
});
