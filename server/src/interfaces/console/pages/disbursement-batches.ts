import { type BatchTotal, batchStatuses } from '../../../money/disbursements/batches/batch.ts';
import { listBatches } from '../../../money/disbursements/batches/list.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { amount, count, given, instant } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { isDisbursing } from '../parts/when-disbursing.ts';
import { words as allWords } from './disbursement-batches.words.ts';

/** The batches of disbursements. */
export const disbursementBatchesPage: ConsolePage = listPage({
  path: 'disbursements/batches',
  permission: 'disbursements.read',
  words: allWords,
  create: {
    page: 'disbursements/upload',
    permission: 'disbursements.create',
    label: ({ many }) => many,
    isOffered: isDisbursing,
  },
  filters: (visit, words) =>
    filtersOf(visit, { status: choice(visit, words.status, batchStatuses, words.statuses) }),
  load: ({ services, tenantId }, filter, page) =>
    listBatches(services.database, tenantId, filter, page),
  cursor: 'dib',
  columns: (visit, words) => [
    {
      head: words.created,
      cell: ({ id, createdAtMs }) =>
        html`<a href="${visit.to(`disbursements/batches/${formatId('dib', id)}`)}">${instant(visit, createdAtMs)}</a>`,
    },
    { head: words.name, cell: ({ description }) => given(description) },
    {
      head: words.status,
      cell: ({ status }) =>
        html`<span class="status" data-status="${status}">${words.statuses[status]}</span>`,
    },
    { head: words.people, isNumber: true, cell: ({ itemCount }) => count(visit, itemCount) },
    {
      head: words.progress.failed,
      isNumber: true,
      cell: ({ counts }) => count(visit, counts.failed),
    },
    {
      head: words.amount,
      isNumber: true,
      cell: ({ totals }) =>
        html`${(JSON.parse(totals) as BatchTotal[]).map(
          ({ currency, amount: sum }) => html`<div>${amount(visit, BigInt(sum), currency)}</div>`,
        )}`,
    },
  ],
  refreshMs: 10_000,
});
