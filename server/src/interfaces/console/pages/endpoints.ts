import {
  type EndpointFigures,
  endpointFigures,
} from '../../../integrations/webhooks/deliveries/list.ts';
import { listEndpoints } from '../../../integrations/webhooks/endpoint-store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { ConsolePage } from '../page.ts';
import { count, instant, status } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { plainText } from '../parts/plain-text.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './endpoints.words.ts';

/** The endpoints of webhooks, and their health. */
export const endpointsPage: ConsolePage = listPage({
  path: 'endpoints',
  permission: 'endpoints.read',
  words: allWords,
  cursor: 'we',
  create: {
    page: 'endpoints/new',
    permission: 'endpoints.write',
    label: ({ newEndpoint }) => newEndpoint,
  },
  load: ({ services, tenantId }, _, page) => listEndpoints(services.database, tenantId, page),
  async columns(visit, words) {
    const figures = await figuresOf(visit);
    return [
      {
        head: words.url,
        cell: ({ id, url }) =>
          html`<a href="${visit.to(`endpoints/${formatId('we', id)}`)}">${plainText(url, 80)}</a>`,
      },
      { head: words.description, cell: ({ description }) => plainText(description ?? '', 80) },
      { head: words.state, cell: (row) => status(visit, row.status) },
      { head: words.health, cell: ({ id }) => health(visit, figures.get(id)) },
      { head: words.created, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
    ];
  },
  scripts: ['developers.css'],
});

/** By endpoint id. */
export async function figuresOf(visit: MerchantContext): Promise<Map<string, EndpointFigures>> {
  const rows = await endpointFigures(visit.services.database, visit.tenantId);
  return new Map(rows.map((row) => [row.endpointId, row]));
}

/** The result of its latest deliveries, and since when all have failed. */
export function health(visit: MerchantContext, figures: EndpointFigures | undefined): Html {
  const words = allWords[visit.language];
  if (!figures || figures.latest === 0) return html`${words.noDeliveries}`;
  const { succeeded, latest, held, failingSinceMs } = figures;
  return html`<div>${words.ofLatest(count(visit, succeeded), count(visit, latest))}${
    held === 0 ? undefined : html`<div>${words.held(count(visit, held))}</div>`
  }${failingSinceMs === null ? undefined : html`<div class="error">${words.failingSince} ${instant(visit, failingSinceMs)}</div>`}</div>`;
}
