import type { BankStatement } from '../../../backoffice/bank-statements/bank-statement.ts';
import { listBankStatements } from '../../../backoffice/bank-statements/store.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { StaffPage } from '../page.ts';
import { calendarDay, count, given, instant } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import type { StaffContext } from '../request-context.ts';
import { words } from './bank-statements.words.ts';

/** The first and the last day of a statement. */
export function daysText(visit: StaffContext, { firstDay, lastDay }: BankStatement) {
  if (firstDay === null || lastDay === null) return undefined;
  return html`${calendarDay(visit, firstDay)} – ${calendarDay(visit, lastDay)}`;
}

/** Uploaded statements of the gateway's own account. */
export const bankStatementsPage: StaffPage = listPage({
  path: 'bank-statements',
  permission: 'settlements.read',
  words,
  create: {
    page: 'bank-statements/new',
    permission: 'settlements.decide',
    label: ({ upload }) => upload,
  },
  load: ({ services }, _, page) => listBankStatements(services.database, page),
  cursor: 'bs',
  columns: (visit, words) => [
    {
      head: words.file,
      cell: ({ id, fileName }) =>
        html`<a href="${visit.to(`bank-statements/${formatId('bs', id)}`)}">${given(fileName, 60)}</a>`,
    },
    { head: words.days, cell: (row) => daysText(visit, row) },
    { head: words.lines, isNumber: true, cell: ({ lineCount }) => count(visit, lineCount) },
    { head: words.uploaded, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
  ],
});
