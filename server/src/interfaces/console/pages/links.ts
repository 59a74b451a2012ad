import { sessionStatuses } from '../../../money/payments/session-slot.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { listSessions } from '../../../storefront/checkout/list.ts';
import { named, shortened } from '../../../storefront/checkout/page/state.ts';
import type { StoredSession } from '../../../storefront/checkout/read-session.ts';
import { firstItems } from '../../../storefront/checkout/session.ts';
import type { ConsolePage } from '../page.ts';
import { select } from '../parts/form.ts';
import { amount, instant } from '../parts/format.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { linkStatus } from './link.ts';
import { words as linkWords } from './link.words.ts';
import { words as allWords } from './links.words.ts';

const limit = 25;

/** Payment links, those of the shop's own programs among them. */
export const linksPage: ConsolePage = {
  path: 'links',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const status = sessionStatuses.find((each) => each === visit.query.get('status'));
    const startingAfter = parseId('cs', visit.query.get('starting_after') ?? '');
    const { database } = visit.services;
    const page = { limit, startingAfter };
    const rows = await listSessions(database, visit.tenantId, { status }, page);
    const shown = rows.slice(0, limit);
    const hasMore = (rows[0]?.rowsFound ?? 0) > shown.length;
    const last = hasMore ? shown.at(-1) : undefined;
    const main = html`${bar(visit, status)}
${shown.length === 0 ? nothing(visit, status) : list(visit, shown)}
${pager(visit, 'links', last && formatId('cs', last.id))}`;
    return { title: words.title, main, refreshMs: 10_000 };
  },
};

const newLink = (visit: MerchantContext) =>
  visit.can('links.write')
    ? html`<a class="button primary" href="${visit.to('links/new')}">${allWords[visit.language].create}</a>`
    : undefined;

function bar(visit: MerchantContext, status: string | undefined): Html {
  const words = allWords[visit.language];
  const { statuses } = linkWords[visit.language];
  const choices = sessionStatuses.map((each) => [each, statuses[each] ?? each] as const);
  return html`<div class="bar spread"><form class="filters" action="${visit.to('links')}">
${select('status', words.status, [['', visit.words.all], ...choices], { value: status ?? '' })}
<div class="bar"><button class="button plain">${visit.words.apply}</button></div>
</form><div class="bar"><a href="${visit.to('links/reusable')}">${words.reusable}</a>${newLink(visit)}</div></div>`;
}

const nothing = (visit: MerchantContext, status: string | undefined) =>
  status === undefined
    ? empty(allWords[visit.language].nothing, allWords[visit.language].nothingHint, newLink(visit))
    : empty(allWords[visit.language].noMatch);

function list(visit: MerchantContext, rows: readonly StoredSession[]): Html {
  const words = allWords[visit.language];
  const address = ({ id }: StoredSession) => visit.to(`links/${formatId('cs', id)}`);
  const isOver = (row: StoredSession) => row.status === 'OPEN' && row.expiresAtMs <= visit.nowMs;
  return table<StoredSession>(
    words.title,
    [
      {
        head: words.created,
        cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      {
        head: words.status,
        cell: (row) => linkStatus(visit, isOver(row) ? 'EXPIRED' : row.status),
      },
      {
        head: words.amount,
        isNumber: true,
        cell: (row) => amount(visit, row.amountMinor, row.currency),
      },
      { head: words.description, cell: (row) => aboutOf(row) },
      {
        head: words.customer,
        cell: (row) => (row.customerId === null ? undefined : named(row.customerId)),
      },
      { head: words.until, cell: (row) => instant(visit, row.expiresAtMs) },
    ],
    rows,
  );
}

const longestShown = 80;

/** What the merchant says is paid for, or else the first product. */
function aboutOf({ description, items }: StoredSession): Html | undefined {
  if (description !== null) return named(shortened(description, longestShown));
  const [first, ...others] = items === null ? [] : firstItems(items, false);
  if (first === undefined) return undefined;
  return html`${first.quantity} × ${named(first.name)}${others.length > 0 ? html` +${others.length}` : undefined}`;
}
