import {
  type DeliveryStatus,
  deliveryStatuses,
  type StoredDelivery,
} from '../../../integrations/webhooks/deliveries/delivery.ts';
import { listDeliveries } from '../../../integrations/webhooks/deliveries/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { select } from '../parts/form.ts';
import { count, instant, status } from '../parts/format.ts';
import { plainText } from '../parts/plain-text.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './endpoints.words.ts';

const limit = 25;

export const deliveryStatusOf = (text: string | null): DeliveryStatus | undefined =>
  deliveryStatuses.find((each) => each === text);

export const statusChoices = ({ words }: MerchantContext) => [
  ['', words.all] as const,
  ...deliveryStatuses.map((each) => [each, words.statuses[each] ?? each] as const),
];

/** The deliveries of an endpoint, by status. */
export async function deliveriesOf(visit: MerchantContext, endpointId: string): Promise<Html> {
  const words = allWords[visit.language];
  const chosen = deliveryStatusOf(visit.query.get('status'));
  const startingAfter = parseId('dl', visit.query.get('starting_after') ?? '');
  const key = { tenantId: visit.tenantId, id: endpointId };
  const rows = await listDeliveries(visit.services.database, key, chosen, { limit, startingAfter });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const page = `endpoints/${formatId('we', endpointId)}`;
  const filter = select('status', words.state, statusChoices(visit), { value: chosen });
  return html`<h2 id="deliveries">${words.deliveries}</h2>
<form class="filters" action="${visit.to(page)}">${filter}<div class="bar"><button class="button plain">${visit.words.apply}</button></div></form>
${shown.length === 0 ? empty(chosen ? words.noMatch : words.nothingSent) : list(visit, page, shown)}
${pager(visit, page, last && formatId('dl', last.eventId))}`;
}

function list(visit: MerchantContext, page: string, rows: readonly StoredDelivery[]): Html {
  const words = allWords[visit.language];
  const address = ({ eventId }: StoredDelivery) =>
    visit.to(`${page}/deliveries/${formatId('dl', eventId)}`);
  return table<StoredDelivery>(
    words.deliveries,
    [
      {
        head: words.created,
        cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      { head: words.event, cell: (row) => html`<code>${row.eventType}</code>` },
      { head: words.state, cell: (row) => status(visit, row.status) },
      {
        head: words.attempts,
        isNumber: true,
        cell: (row) => count(visit, row.attempts.length),
      },
      { head: words.error, cell: (row) => plainText(row.error ?? '', 120) },
    ],
    rows,
  );
}
