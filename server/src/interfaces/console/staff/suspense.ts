import { suspense } from '../../../money/ledger/suspense.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { StaffPage } from '../page.ts';
import { listPage } from '../parts/list-page.ts';
import { everywhere } from '../query-all-cells.ts';
import { suspenseWords as words } from './suspense.words.ts';
import { ownersOf, pageAfter, wrongDebitColumns } from './wrong-debits.ts';

/** The items that suspense holds or lacks, of all merchants. */
export const suspensePage: StaffPage = listPage({
  path: 'suspense',
  permission: 'reviews.read',
  words,
  isOldestFirst: true,
  async load(visit, _, at) {
    const page = await pageAfter(visit, at);
    const found = await everywhere(visit, (database) => suspense(database, page));
    return mergeRows(found, ({ createdAtMs, id }) => [createdAtMs, id], { isNewestFirst: false });
  },
  cursor: ({ id }) => id,
  columns: async (visit, _, rows) => wrongDebitColumns(visit, await ownersOf(visit, rows)),
});
