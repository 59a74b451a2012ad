import { eventTypes, testEventType } from '../../../integrations/events/event.ts';
import { type EventHead, listEventHeads } from '../../../integrations/events/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { field, select } from '../parts/form.ts';
import { instant } from '../parts/format.ts';
import { localInstantMs } from '../parts/local-time.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './events.words.ts';

const limit = 25;
const types = [...eventTypes, testEventType];

/** What has happened, by type and day. */
export const eventsPage: ConsolePage = {
  path: 'events',
  permission: 'events.read',
  async show(visit) {
    const words = allWords[visit.language];
    const startingAfter = parseId('evt', visit.query.get('starting_after') ?? '');
    const page = { limit, startingAfter };
    const { database } = visit.services;
    const rows = await listEventHeads(database, visit.tenantId, filterOf(visit), page);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const nothing =
      visit.query.size === 0 ? empty(words.nothing, words.nothingHint) : empty(words.noMatch);
    const main = html`${filters(visit)}
${shown.length === 0 ? nothing : list(visit, shown)}
${pager(visit, 'events', last && formatId('evt', last.id))}`;
    return { title: words.title, main, refreshMs: 10_000 };
  },
};

function filterOf({ query, timeZone }: MerchantContext) {
  const day = (name: string) => (query.get(name) ?? '').slice(0, 10);
  const until = localInstantMs(day('until'), timeZone);
  return {
    type: types.find((each) => each === query.get('type')),
    fromMs: localInstantMs(day('from'), timeZone),
    // The whole of the last day; those with 25 hours end at their own midnight.
    untilMs: until === undefined ? undefined : localInstantMs(dayAfter(day('until')), timeZone),
  };
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

function filters(visit: MerchantContext): Html {
  const words = allWords[visit.language];
  const value = (name: string) => visit.query.get(name) ?? '';
  const choices = types.map((type) => [type, type] as const);
  return html`<form class="filters" action="${visit.to('events')}">
${select('type', words.type, [['', visit.words.all], ...choices], { value: value('type') })}
${field('from', words.from, { type: 'date', value: value('from') })}
${field('until', words.until, { type: 'date', value: value('until') })}
<div class="bar"><button class="button plain">${visit.words.apply}</button></div>
</form>`;
}

function list(visit: MerchantContext, rows: readonly EventHead[]): Html {
  const words = allWords[visit.language];
  return table<EventHead>(
    words.title,
    [
      {
        head: words.created,
        cell: ({ id, createdAtMs }) =>
          html`<a href="${visit.to(`events/${formatId('evt', id)}`)}">${instant(visit, createdAtMs)}</a>`,
      },
      { head: words.type, cell: ({ type }) => html`<code>${type}</code>` },
      { head: words.id, cell: ({ id }) => html`<code>${formatId('evt', id)}</code>` },
    ],
    rows,
  );
}
