import { type Refund, refundStatuses } from '../../../money/refunds/refund.ts';
import { listRefunds } from '../../../money/refunds/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { given, instant, status } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { amountColumn } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words } from './refunds.words.ts';

/** Refunds to customers, with their reasons. */
export const refundsPage: ConsolePage = listPage({
  path: 'refunds',
  permission: 'payments.read',
  words,
  cursor: 're',
  filters: (visit, words) =>
    filtersOf(visit, {
      status: choice(visit, words.status, refundStatuses, visit.words.statuses),
    }),
  load: ({ services, tenantId }, filter, page) =>
    listRefunds(services.database, tenantId, filter, page),
  columns: (visit, words) => [
    {
      head: words.created,
      cell: ({ paymentId, createdAtMs }) =>
        html`<a href="${visit.to(`payments/${formatId('pi', paymentId)}`)}">${instant(visit, createdAtMs)}</a>`,
    },
    { head: words.status, cell: (row) => outcome(visit, row) },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.order, cell: ({ externalId }) => given(externalId) },
    { head: words.operator, cell: ({ operator }) => visit.words.operators[operator] },
    { head: words.reason, cell: ({ reason }) => given(reason) },
  ],
  refreshMs: 10_000,
});

function outcome(visit: MerchantContext, { status: reached, failureCode }: Refund): Html {
  const why = failureCode === null ? undefined : visit.words.failures[failureCode];
  return html`<div>${status(visit, reached)}${why === undefined ? undefined : html`<p class="hint">${why}</p>`}</div>`;
}
