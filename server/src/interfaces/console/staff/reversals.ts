import { listReversals } from '../../../money/reversals/list.ts';
import { type Reversal, reversalStatuses } from '../../../money/reversals/reversal.ts';
import { html } from '../../../platform/text/html.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { StaffPage } from '../page.ts';
import { select } from '../parts/form.ts';
import { empty, pager, table } from '../parts/table.ts';
import { everywhere } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './suspense.words.ts';
import { afterMsIn, idIn, ownersOf, wrongDebitColumns } from './wrong-debits.ts';

const limit = 50;

/** Wrong debits of all merchants, on their way back or returned. */
export const reversalsPage: StaffPage = {
  path: 'reversals',
  permission: 'reviews.read',
  async show(visit) {
    const words = allWords[visit.language];
    const status = reversalStatuses.find((each) => each === visit.query.get('status'));
    const startingAfter = idIn(visit);
    const afterMs = await afterMsIn(visit);
    const page = { limit, status, startingAfter, afterMs };
    const found = await everywhere(visit, (database) => listReversals(database, page));
    const rows = mergeRows(found, ({ createdAtMs, id }) => [createdAtMs, id]);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const columns = wrongDebitColumns(visit, await ownersOf(visit, shown));
    const nothing = empty(status === undefined ? words.noReversals : words.noReversal);
    const main = html`<p>${words.reversalsIntro}</p>
${filters(visit)}
${shown.length === 0 ? nothing : table<Reversal & InCell>(words.reversals, columns, shown)}
${pager(visit, 'reversals', last?.id)}`;
    return { title: words.reversals, main };
  },
};

function filters(visit: StaffContext) {
  const words = allWords[visit.language];
  const { all, apply, statuses } = visit.words;
  const choices = reversalStatuses.map((each) => [each, statuses[each] ?? each] as const);
  const value = visit.query.get('status') ?? '';
  return html`<form class="filters" action="${visit.to('reversals')}">
${select('status', words.state, [['', all], ...choices], { value })}
<div class="bar"><button class="button plain">${apply}</button></div>
</form>`;
}
