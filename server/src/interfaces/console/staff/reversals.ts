import { listReversals } from '../../../money/reversals/list.ts';
import { reversalStatuses } from '../../../money/reversals/reversal.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { StaffPage } from '../page.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { listPage } from '../parts/list-page.ts';
import { everywhere } from '../query-all-cells.ts';
import { reversalsWords as words } from './suspense.words.ts';
import { ownersOf, pageAfter, wrongDebitColumns } from './wrong-debits.ts';

/** Wrong debits of all merchants, being returned or returned. */
export const reversalsPage: StaffPage = listPage({
  path: 'reversals',
  permission: 'reviews.read',
  words,
  filters: (visit, words) =>
    filtersOf(visit, {
      status: choice(visit, words.state, reversalStatuses, visit.words.statuses),
    }),
  async load(visit, { status }, at) {
    const page = { ...(await pageAfter(visit, at)), status };
    const found = await everywhere(visit, (database) => listReversals(database, page));
    return mergeRows(found, ({ createdAtMs, id }) => [createdAtMs, id]);
  },
  cursor: ({ id }) => id,
  columns: async (visit, _, rows) => wrongDebitColumns(visit, await ownersOf(visit, rows)),
});
