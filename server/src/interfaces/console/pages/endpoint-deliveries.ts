import {
  type DeliveryStatus,
  deliveryStatuses,
} from '../../../integrations/webhooks/deliveries/delivery.ts';
import { listDeliveries } from '../../../integrations/webhooks/deliveries/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { deliveryErrorText } from '../parts/delivery-error.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { count, instantToSecond, status } from '../parts/format.ts';
import { listSection } from '../parts/list-page.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './endpoints.words.ts';

export const deliveryStatusOf = (text: string | null): DeliveryStatus | undefined =>
  deliveryStatuses.find((each) => each === text);

export const statusChoices = ({ words }: MerchantContext) => [
  ['', words.all] as const,
  ...deliveryStatuses.map((each) => [each, words.statuses[each] ?? each] as const),
];

/** The deliveries of an endpoint, by status. */
export async function deliveriesOf(visit: MerchantContext, endpointId: string): Promise<Html> {
  const { tenantId, page: path } = visit;
  const list = await listSection(visit, {
    words: deliveriesWords,
    filters: ({ words }, { state }) =>
      filtersOf(visit, { status: choice(visit, state, deliveryStatuses, words.statuses) }),
    load: ({ services }, { status }, { limit, startingAfter }) =>
      listDeliveries(services.database, { tenantId, id: endpointId }, status, {
        limit,
        startingAfter: parseId('dl', startingAfter ?? ''),
      }),
    cursor: ({ eventId }) => formatId('dl', eventId),
    columns: (_, words) => [
      {
        head: words.created,
        cell: ({ eventId, createdAtMs }) =>
          html`<a href="${visit.to(`${path}/deliveries/${formatId('dl', eventId)}`)}">${instantToSecond(visit, createdAtMs)}</a>`,
      },
      { head: words.event, cell: ({ eventType }) => html`<code>${eventType}</code>` },
      { head: words.state, cell: (row) => status(visit, row.status) },
      {
        head: words.attempts,
        isNumber: true,
        cell: ({ attempts }) => count(visit, attempts.length),
      },
      { head: words.error, cell: ({ error }) => deliveryErrorText(visit, error, 120) },
    ],
  });
  return html`<h2 id="deliveries">${allWords[visit.language].deliveries}</h2>
${list}`;
}

const wordsOf = (words: (typeof allWords)['pt']) => ({
  ...words,
  title: words.deliveries,
  nothing: words.nothingSent,
  nothingHint: '',
});
const deliveriesWords = { pt: wordsOf(allWords.pt), en: wordsOf(allWords.en) };
