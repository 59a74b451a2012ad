import { html } from '../../html.ts';
import { type SuspenseItem, suspense } from '../../ledger/suspense.ts';
import type { StaffPage } from '../page.ts';
import { empty, pager, table } from '../parts/table.ts';
import { words as allWords } from './suspense.words.ts';
import { idIn, ownersOf, wrongDebitColumns } from './wrong-debits.ts';

const limit = 50;

/** What suspense holds, and what is missing in it, of all merchants. */
export const suspensePage: StaffPage = {
  path: 'suspense',
  permission: 'reviews.read',
  async show(visit) {
    const words = allWords[visit.language];
    const startingAfter = idIn(visit);
    const rows = await suspense(visit.services.database, { limit, startingAfter });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const columns = wrongDebitColumns(visit, await ownersOf(visit, shown));
    const main = html`<p>${words.suspenseIntro}</p>
${shown.length === 0 ? empty(words.noSuspense) : table<SuspenseItem>(words.suspense, columns, shown)}
${pager(visit, 'suspense', last?.id, { isNewestFirst: false })}`;
    return { title: words.suspense, main };
  },
};
