import {
  type EndpointFigures,
  endpointFigures,
} from '../../../integrations/webhooks/deliveries/list.ts';
import type { WebhookEndpoint } from '../../../integrations/webhooks/endpoint.ts';
import { listEndpoints } from '../../../integrations/webhooks/endpoint-store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { count, instant, status } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './endpoints.words.ts';

const limit = 25;

/** The addresses that hear of events, and how they do. */
export const endpointsPage: ConsolePage = {
  path: 'endpoints',
  permission: 'endpoints.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { database } = visit.services;
    const startingAfter = parseId('we', visit.query.get('starting_after') ?? '');
    const rows = await listEndpoints(database, visit.tenantId, { limit, startingAfter });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const figures = await figuresOf(visit);
    const main = html`${doneNotice(visit, words.done)}
${visit.can('endpoints.write') ? html`<p><a class="button primary" href="${visit.to('endpoints/new')}">${words.newEndpoint}</a></p>` : undefined}
${shown.length === 0 ? empty(words.nothing, words.nothingHint) : list(visit, shown, figures)}
${pager(visit, 'endpoints', last && formatId('we', last.id))}`;
    return { title: words.title, main, scripts: ['developers.css'] };
  },
};

/** By the ids of endpoints. */
export async function figuresOf(visit: MerchantContext): Promise<Map<string, EndpointFigures>> {
  const rows = await endpointFigures(visit.services.database, visit.tenantId);
  return new Map(rows.map((row) => [row.endpointId, row]));
}

function list(
  visit: MerchantContext,
  rows: readonly WebhookEndpoint[],
  figures: ReadonlyMap<string, EndpointFigures>,
): Html {
  const words = allWords[visit.language];
  return table<WebhookEndpoint>(
    words.title,
    [
      {
        head: words.url,
        cell: (row) =>
          html`<a href="${visit.to(`endpoints/${formatId('we', row.id)}`)}">${plainText(row.url, 80)}</a>`,
      },
      { head: words.description, cell: (row) => plainText(row.description ?? '', 80) },
      { head: words.state, cell: (row) => status(visit, row.status) },
      { head: words.health, cell: (row) => health(visit, figures.get(row.id)) },
      { head: words.created, cell: (row) => instant(visit, row.createdAtMs) },
    ],
    rows,
  );
}

/** How its latest deliveries went, and since when none has arrived. */
export function health(visit: MerchantContext, figures: EndpointFigures | undefined): Html {
  const words = allWords[visit.language];
  if (!figures || figures.latest === 0) return html`${words.noDeliveries}`;
  const { succeeded, latest, held, failingSinceMs } = figures;
  return html`<div>${words.ofLatest(count(visit, succeeded), count(visit, latest))}${
    held === 0 ? undefined : html`<div>${words.held(count(visit, held))}</div>`
  }${failingSinceMs === null ? undefined : html`<div class="error">${words.failingSince} ${instant(visit, failingSinceMs)}</div>`}</div>`;
}
