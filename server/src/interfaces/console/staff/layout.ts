import { html } from '../../../platform/text/html.ts';
import { framedPage, menu, searchBox } from '../layout.ts';
import type { View } from '../page.ts';
import type { StaffContext } from '../request-context.ts';
import { cellMark, cellNotes, cellSwitch } from './cells.ts';
import { staffWords } from './common.words.ts';
import { staffNavigation } from './navigation.ts';

/** A staff page: the frame of merchants' pages in another colour, with a line that names the place. */
export function staffPage(visit: StaffContext, root: string, view: View): string {
  const words = staffWords[visit.language];
  const { cells } = visit.services;
  const where = cells === undefined || cells.allCells ? '' : ` · ${cells.own}`;
  const main = html`${cellNotes(visit)}${view.main}`;
  return framedPage(
    visit,
    root,
    { ...view, main },
    {
      kind: 'staff',
      name: html`<span>${words.gateway}${where}</span>`,
      banner: html`<aside class="staff-banner" aria-label="${words.gateway}">${cellMark(visit) ?? words.mark}</aside>`,
      search: visit.can('payments.read')
        ? searchBox(visit, { label: words.search, hint: words.searchHint })
        : undefined,
      menu: html`${cellSwitch(visit)}${menu(visit, staffNavigation, words)}`,
    },
  );
}
