import { findEvent } from '../../../integrations/events/list.ts';
import {
  deliveriesOfEvent,
  type EventDelivery,
} from '../../../integrations/webhooks/deliveries/list.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, instantOf, parseId } from '../../../platform/values/ids.ts';
import { maskJson } from '../../../platform/values/phone.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { quoted } from '../parts/code-block.ts';
import { button, form, hidden, notice } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { count, idText, instantToSecond, status } from '../parts/format.ts';
import { plainText, prettyJson } from '../parts/plain-text.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts, table } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './events.words.ts';

/** An event may contain a cart of a thousand items. */
const longest = 64 * 1_024;

/** One event as sent, and its deliveries. */
export const eventPage: ConsolePage = {
  path: 'events/:id',
  permission: 'events.read',
  show: (visit) => view(visit),
  actions: {
    redeliver: { permission: 'deliveries.redeliver', run: redeliver },
  },
};

/** @throws NOT_FOUND if the merchant has no such event in this mode */
async function eventOf({ params, tenantId, services }: MerchantContext) {
  const id = parseId('evt', params.id ?? '');
  const event = id && (await findEvent(services.database, tenantId, id));
  if (!event) throw notFound('event');
  return { id, body: event.body };
}

async function redeliver(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const event = await eventOf(visit);
  const { tenantId, services, author } = visit;
  const endpointId = parseId('we', sent.text('endpoint'));
  if (endpointId === undefined) throw notFound('webhook endpoint');
  const key = { tenantId, id: endpointId };
  const done = await refusalOr(services.redeliver.one(key, event.id, author));
  if ('eventId' in done) return { to: visit.to(visit.page, { done: 'redelivered' }) };
  const said = notice(allWords[visit.language].disabled, 'bad');
  return { ...(await view(visit, said)), status: 409 };
}

async function view(visit: MerchantContext, said?: Html): Promise<View> {
  const words = allWords[visit.language];
  const { id, body } = await eventOf(visit);
  const deliveries = await deliveriesOfEvent(visit.services.database, visit.tenantId, id);
  const isShown = visit.can('phones.read');
  const cut = (isShown ? body : maskJson(body)).slice(0, longest);
  const { type } = /"type":"(?<type>[^"]*)"/.exec(body)?.groups ?? {};
  const main = html`${said ?? doneNotice(visit, words.done)}
<section class="card">
${facts([
  [words.type, html`<code>${type ?? ''}</code>`],
  [words.created, instantToSecond(visit, instantOf(id))],
  [words.id, idText('evt', id)],
])}
</section>
<h2>${words.deliveries}</h2>
${deliveries.length === 0 ? html`<p>${words.nowhere}</p>` : list(visit, id, deliveries)}
<h2>${words.sent}</h2>
${isShown ? undefined : html`<p class="hint">${words.masked}</p>`}
${body.length > longest ? html`<p class="hint">${words.shortened}</p>` : undefined}
${quoted(words.sent, plainText(prettyJson(cut), 2 * longest))}`;
  return { title: words.one, main, scripts: ['developers.css'] };
}

function list(visit: MerchantContext, eventId: string, rows: readonly EventDelivery[]): Html {
  const words = allWords[visit.language];
  const page = ({ endpointId }: EventDelivery) =>
    visit.to(`endpoints/${formatId('we', endpointId)}/deliveries/${formatId('dl', eventId)}`);
  return table<EventDelivery>(
    words.deliveries,
    [
      {
        head: words.endpoint,
        cell: (row) => html`<a href="${page(row)}">${plainText(row.url, 80)}</a>`,
      },
      {
        head: words.state,
        cell: (row) => (row.isDeleted ? words.deleted : status(visit, row.status)),
      },
      { head: words.attempts, isNumber: true, cell: (row) => count(visit, row.attemptCount) },
      { head: words.updated, cell: (row) => instantToSecond(visit, row.updatedAtMs) },
      {
        head: words.redeliver,
        cell: (row) =>
          row.isDeleted || !visit.can('deliveries.redeliver')
            ? undefined
            : form(
                visit,
                html`${hidden('endpoint', formatId('we', row.endpointId))}${button('redeliver', words.redeliver, 'plain')}`,
              ),
      },
    ],
    rows,
  );
}
