import { pageOf } from '../../../operations/notifications/links.ts';
import {
  type ListedNotice,
  listNotices,
  markRead,
  type Shelf,
} from '../../../operations/notifications/list-notices.ts';
import { noticeWords } from '../../../operations/notifications/notices.words.ts';
import { isMoment } from '../../../platform/notices/notice.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import { type InCell, staffFolderOf } from '../../../tenants/cells/staff-cells.ts';
import type { Page } from '../page.ts';
import { everywhere } from '../query-all-cells.ts';
import type { RequestContext, SentForm } from '../request-context.ts';
import { button, form, hidden } from './form.ts';
import { instant } from './format.ts';
import { listPage } from './list-page.ts';
import { words as allWords } from './notices.words.ts';

/** The differences between a merchant's and the staff's notices. */
interface NoticesKind<Visiting, Permitted> {
  permission: Permitted;
  shelfOf: (visit: Visiting) => Shelf;
  place: 'MERCHANT' | 'STAFF';
}

/** A person's notices, newest first; each person marks their own as read. */
export function noticesPageOf<
  Visiting extends RequestContext & { can(permission: Permitted): boolean },
  Permitted,
>(kind: NoticesKind<Visiting, Permitted>): Page<Visiting, Permitted> {
  const { permission, shelfOf, place } = kind;
  const read = async (visit: Visiting, id: string | undefined) => {
    // A cell ignores notices that it does not have.
    await askFor(kind, visit, async (database) => {
      await markRead(database, shelfOf(visit), id, visit.nowMs);
      return [];
    });
    return { to: visit.to('notices') };
  };
  return listPage({
    path: 'notices',
    permission,
    words: allWords,
    above: (visit, words) =>
      html`<p class="hint">${words.meaning} <a href="${visit.address('/console/account')}">${words.settings}</a></p>
${visit.unread > 0 ? form(visit, button('read-all', words.readAll, 'plain')) : undefined}`,
    async load(visit, _, { limit, startingAfter }) {
      const page = { afterId: startingAfter, limit: limit + 1 };
      const rows = await askFor(kind, visit, (database) =>
        listNotices(database, shelfOf(visit), page),
      );
      return mergeRows(rows, ({ id }) => [id]);
    },
    cursor: 'no',
    render: (visit, _, rows) =>
      html`<section class="card"><ul class="notices">${rows.map((notice) => item(visit, place, notice))}</ul></section>`,
    actions: {
      // No notice has a session's id.
      read: {
        permission,
        run: (visit, sent: SentForm) =>
          read(visit, parseId('no', sent.text('notice')) ?? visit.sessionId),
      },
      'read-all': { permission, run: (visit) => read(visit, undefined) },
    },
  });
}

/** Staff notices are in all cells, a merchant's in its own. */
const askFor = <Visiting extends RequestContext, Row extends object>(
  { place }: Pick<NoticesKind<Visiting, never>, 'place'>,
  visit: Visiting,
  ask: (database: Database) => Promise<Row[]>,
): Promise<(Row & InCell)[]> =>
  place === 'STAFF' ? everywhere(visit, ask) : ask(visit.services.database);

function item(
  visit: RequestContext,
  place: 'MERCHANT' | 'STAFF',
  notice: ListedNotice & InCell,
): Html {
  const { title, text, more } = noticeWords[visit.language];
  const words = allWords[visit.language];
  const { id, atMs, readAtMs, merchantName } = notice;
  const { cells } = visit.services;
  const cell = notice.cell ?? cells?.own;
  const address = pageOf(place, notice, staffFolderOf(cell));
  const about =
    place === 'STAFF' && merchantName !== null ? html` · ${named(merchantName)}` : undefined;
  const others = notice.more === 0 ? undefined : html` · ${more(notice.more)}`;
  const isElsewhere = !address.endsWith('/notices');
  const worded = { ...notice, cell };
  const name = title(worded);
  const link = isElsewhere ? html`<a href="${visit.address(address)}">${name}</a>` : html`${name}`;
  const mark =
    readAtMs === null &&
    form(
      visit,
      html`${hidden('notice', formatId('no', id))}<button name="action" value="read" class="button plain" aria-label="${words.readOf(name)}">${words.read}</button>`,
    );
  return html`<li class="bar spread${readAtMs === null ? ' unread' : ''}"><div>
${readAtMs === null ? html`<b>${link}</b> <span class="status">${words.unread}</span>` : link}${stateOf(visit, notice)}
<p>${text(worded)}</p>
<p class="hint">${instant(visit, atMs)}${about}${others}</p></div>
${mark || undefined}</li>`;
}

/** Whether the condition is ongoing; a failed payout is neither ongoing nor resolved. */
function stateOf(visit: RequestContext, { kind, endedAtMs }: ListedNotice): Html | undefined {
  const words = allWords[visit.language];
  if (isMoment(kind)) return undefined;
  return html` <span class="hint">${endedAtMs === null ? words.on : words.over}</span>`;
}
