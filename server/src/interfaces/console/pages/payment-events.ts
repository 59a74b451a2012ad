import type { EventHead } from '../../../integrations/events/list-by-object.ts';
import type { EventDelivery } from '../../../integrations/webhooks/deliveries/list-by-event.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { button, form, hidden } from '../parts/form.ts';
import { given, idText, instantToSecond, status } from '../parts/format.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './payment.words.ts';
import type { PaymentHistory } from './payment-history.ts';

/** Events with their deliveries to each endpoint. */
export function eventsSection(
  visit: MerchantContext,
  history: Pick<PaymentHistory, 'events' | 'deliveries'>,
): Html | undefined {
  const words = allWords[visit.language];
  if (!visit.can('events.read') || history.events.length === 0) return undefined;
  return html`<section class="card"><h2>${words.events}</h2>
<ul class="timeline">${history.events.map((event) => eventItem(visit, event, history.deliveries.get(event.id) ?? []))}</ul>
</section>`;
}

function eventItem(
  visit: MerchantContext,
  event: EventHead,
  deliveries: readonly EventDelivery[],
): Html {
  const words = allWords[visit.language];
  const told =
    deliveries.length === 0
      ? html`<p class="hint">${words.noDelivery}</p>`
      : html`${deliveries.map((delivery) => deliveryItem(visit, delivery))}`;
  return html`<li><p><code>${event.type}</code></p><p class="hint">${instantToSecond(visit, event.createdAtMs)} · ${idText('evt', event.id)}</p>${told}</li>`;
}

function deliveryItem(visit: MerchantContext, delivery: EventDelivery): Html {
  const words = allWords[visit.language];
  const { attempts, error, plannedAtMs } = delivery;
  const next =
    delivery.status === 'PENDING' && plannedAtMs !== null
      ? html` · ${words.nextAttempt} ${instantToSecond(visit, plannedAtMs)}`
      : undefined;
  const details =
    attempts.length === 0
      ? undefined
      : html`<details class="more"><summary>${words.attempts(attempts.length)}</summary><ol>${attempts.map((each) => attemptItem(visit, each))}</ol></details>`;
  return html`<div><p>${status(visit, delivery.status)} ${given(endpointName(visit, delivery))}${next}</p>
${error === null ? undefined : html`<p class="hint">${given(error)}</p>`}${details}${again(visit, delivery)}</div>`;
}

/** The path after the host may be secret, so only people who may see endpoints see it. */
const endpointName = (visit: MerchantContext, { url }: EventDelivery) =>
  visit.can('endpoints.read') ? url : (URL.parse(url)?.host ?? '');

function attemptItem(visit: MerchantContext, attempt: EventDelivery['attempts'][number]): Html {
  const { at, statusCode, durationMs, error, response } = attempt;
  // A receiver's answer may contain the phone that it was sent.
  const answer = visit.can('phones.read') ? given(response, 1_024) : undefined;
  return html`<li><p>${instantToSecond(visit, Date.parse(at))} · ${statusCode ?? visit.words.none} · ${durationMs} ms${error === null ? undefined : html` · ${given(error)}`}</p>${answer && html`<pre class="given">${answer}</pre>`}</li>`;
}

function again(
  visit: MerchantContext,
  { endpointId, eventId, endpointStatus, status }: EventDelivery,
) {
  const words = allWords[visit.language];
  if (!visit.can('deliveries.redeliver') || endpointStatus !== 'ACTIVE' || status === 'PENDING')
    return undefined;
  const fields = [
    hidden('endpoint', formatId('we', endpointId)),
    hidden('event', formatId('evt', eventId)),
  ];
  return form(visit, html`${fields}<p>${button('redeliver', words.redeliver, 'plain')}</p>`);
}
