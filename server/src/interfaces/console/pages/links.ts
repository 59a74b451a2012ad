import { sessionStatuses } from '../../../money/payments/session-slot.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { listSessions } from '../../../storefront/checkout/list.ts';
import { named, shortened } from '../../../storefront/checkout/page/state.ts';
import type { StoredSession } from '../../../storefront/checkout/read-session.ts';
import { firstItems } from '../../../storefront/checkout/session.ts';
import type { ConsolePage } from '../page.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { given, instant } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { amountColumn } from '../parts/table.ts';
import { linkStatus } from './link.ts';
import { words as linkWords } from './link.words.ts';
import { words } from './links.words.ts';

/** Payment links, including those of the shop's own programs. */
export const linksPage: ConsolePage = listPage({
  path: 'links',
  permission: 'payments.read',
  words,
  cursor: 'cs',
  create: { page: 'links/new', permission: 'links.write', label: ({ create }) => create },
  links: (visit, { reusable }) => html`<a href="${visit.to('links/reusable')}">${reusable}</a>`,
  filters: (visit, { status }) =>
    filtersOf(visit, {
      status: choice(visit, status, sessionStatuses, linkWords[visit.language].statuses),
    }),
  load: ({ services, tenantId }, filter, page) =>
    listSessions(services.database, tenantId, filter, page),
  columns: (visit, words) => [
    {
      head: words.created,
      cell: ({ id, createdAtMs }) =>
        html`<a href="${visit.to(`links/${formatId('cs', id)}`)}">${instant(visit, createdAtMs)}</a>`,
    },
    {
      head: words.status,
      cell: ({ status, expiresAtMs }) => {
        const isOver = status === 'OPEN' && expiresAtMs <= visit.nowMs;
        return linkStatus(visit, isOver ? 'EXPIRED' : status);
      },
    },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.description, cell: aboutOf },
    { head: words.order, cell: ({ externalId }) => given(externalId) },
    {
      head: words.customer,
      cell: ({ customerId }) => (customerId === null ? undefined : named(customerId)),
    },
    { head: words.until, cell: ({ expiresAtMs }) => instant(visit, expiresAtMs) },
  ],
  refreshMs: 10_000,
});

const longestShown = 80;

/** The merchant's description, otherwise the first product. */
function aboutOf({ description, items }: StoredSession): Html | undefined {
  if (description !== null) return named(shortened(description, longestShown));
  const [first, ...others] = items === null ? [] : firstItems(items, false);
  if (first === undefined) return undefined;
  return html`${first.quantity} × ${named(first.name)}${others.length > 0 ? html` +${others.length}` : undefined}`;
}
