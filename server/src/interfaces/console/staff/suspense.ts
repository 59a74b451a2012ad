import { type SuspenseItem, suspense } from '../../../money/ledger/suspense.ts';
import { html } from '../../../platform/text/html.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { StaffPage } from '../page.ts';
import { empty, pager, table } from '../parts/table.ts';
import { everywhere } from '../query-all-cells.ts';
import { words as allWords } from './suspense.words.ts';
import { afterMsIn, idIn, ownersOf, wrongDebitColumns } from './wrong-debits.ts';

const limit = 50;

/** What suspense holds, and what is missing in it, of all merchants. */
export const suspensePage: StaffPage = {
  path: 'suspense',
  permission: 'reviews.read',
  async show(visit) {
    const words = allWords[visit.language];
    const startingAfter = idIn(visit);
    const page = { limit, startingAfter, afterMs: await afterMsIn(visit) };
    const found = await everywhere(visit, (database) => suspense(database, page));
    const rows = mergeRows(found, ({ createdAtMs, id }) => [createdAtMs, id], {
      isNewestFirst: false,
    });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const columns = wrongDebitColumns(visit, await ownersOf(visit, shown));
    const main = html`<p>${words.suspenseIntro}</p>
${shown.length === 0 ? empty(words.noSuspense) : table<SuspenseItem & InCell>(words.suspense, columns, shown)}
${pager(visit, 'suspense', last?.id, { isNewestFirst: false })}`;
    return { title: words.suspense, main };
  },
};
