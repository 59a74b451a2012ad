import { findSentEvent } from '../../../integrations/events/list.ts';
import type { StoredDelivery } from '../../../integrations/webhooks/deliveries/delivery.ts';
import { findDelivery } from '../../../integrations/webhooks/deliveries/list.ts';
import type { DeliveryAttemptDetail } from '../../../integrations/webhooks/delivery-store.ts';
import { userAgent } from '../../../integrations/webhooks/send.ts';
import { withoutPhones } from '../../../platform/audit/mask.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { maskJson } from '../../../platform/values/phone.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { quoted } from '../parts/code-block.ts';
import { deliveryErrorText } from '../parts/delivery-error.ts';
import { button, form, notice } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { count, instantToSecond, status } from '../parts/format.ts';
import { plainText, prettyJson } from '../parts/plain-text.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './endpoints.words.ts';

type Words = (typeof allWords)['pt'];

/** An event may contain a cart of a thousand items. */
const longestBody = 64 * 1_024;

/** One event to one endpoint: each attempt, with the endpoint's answer. */
export const deliveryPage: ConsolePage = {
  path: 'endpoints/:id/deliveries/:delivery',
  permission: 'events.read',
  async show(visit) {
    return view(visit, await deliveryOf(visit));
  },
  actions: {
    redeliver: { permission: 'deliveries.redeliver', run: redeliver },
  },
};

/** @throws NOT_FOUND if the merchant has no such delivery in this mode */
async function deliveryOf({
  params,
  tenantId,
  services,
}: MerchantContext): Promise<StoredDelivery> {
  const endpointId = parseId('we', params.id ?? '');
  const eventId = parseId('dl', params.delivery ?? '');
  const isId = endpointId !== undefined && eventId !== undefined;
  const key = isId && { tenantId, endpointId, eventId };
  const delivery = key && (await findDelivery(services.database, key));
  if (!delivery) throw notFound('delivery');
  return delivery;
}

async function redeliver(visit: MerchantContext): Promise<View | Redirect> {
  const delivery = await deliveryOf(visit);
  const { tenantId, services, author } = visit;
  const key = { tenantId, id: delivery.endpointId };
  const sent = await refusalOr(services.redeliver.one(key, delivery.eventId, author));
  if ('eventId' in sent) return { to: visit.to(visit.page, { done: 'redelivered' }) };
  const said = notice(allWords[visit.language].disabledHint, 'bad');
  return { ...(await view(visit, delivery, said)), status: 409 };
}

/** The headers that follow from the delivery; a signature would need the secret that nobody sees again. */
function sentHeaders(
  words: Words,
  about: { eventId: string; sequence: number; sentAtMs: number },
): string {
  const { eventId, sequence } = about;
  const seconds = Math.floor(about.sentAtMs / 1_000);
  return [
    'Content-Type: application/json',
    `User-Agent: ${userAgent}`,
    `webhook-id: ${eventId}`,
    `webhook-timestamp: ${seconds}`,
    `webhook-signature: v1,${words.signedAfresh}`,
    `X-Service-Sequence: ${sequence}`,
    `X-Service-Timestamp: ${seconds}`,
    `X-Service-Signature: ${words.signedAfresh}`,
  ].join('\n');
}

/** What each attempt sent: the same body, as long as the event is kept. */
async function sentCard(
  visit: MerchantContext,
  { eventId, attempts }: StoredDelivery,
): Promise<Html> {
  const words = allWords[visit.language];
  const event = await findSentEvent(visit.services.database, visit.tenantId, eventId);
  if (!event) return html`<p>${words.eventGone}</p>`;
  const last = attempts.at(-1);
  const { sequence } = event;
  const about = { eventId: formatId('evt', eventId), sequence };
  const headers = last && sentHeaders(words, { ...about, sentAtMs: Date.parse(last.at) });
  const isShown = visit.can('phones.read');
  const body = (isShown ? event.body : maskJson(event.body)).slice(0, longestBody);
  return html`<h2>${words.sentTitle}</h2>
<section class="card">${headers === undefined ? undefined : html`<h3>${words.headers}</h3>${quoted(words.headers, headers)}`}
<h3>${words.body}</h3>${isShown ? undefined : html`<p class="hint">${words.maskedHint}</p>`}
${quoted(words.body, plainText(prettyJson(body), 2 * longestBody))}</section>`;
}

async function view(visit: MerchantContext, delivery: StoredDelivery, said?: Html): Promise<View> {
  const words = allWords[visit.language];
  const { endpointId, eventId, eventType, attempts, error } = delivery;
  const endpoint = formatId('we', endpointId);
  const event = formatId('evt', eventId);
  const isPending = delivery.status === 'PENDING';
  const next = isPending && delivery.plannedAtMs !== null ? delivery.plannedAtMs : undefined;
  const main = html`${said ?? doneNotice(visit, words.done)}
<section class="card">
<p class="bar"><b>${eventType}</b> <span data-announce>${status(visit, delivery.status)}</span></p>
${facts([
  [words.event, html`<a href="${visit.to(`events/${event}`)}"><code>${event}</code></a>`],
  [
    words.one,
    visit.can('endpoints.read')
      ? html`<a href="${visit.to(`endpoints/${endpoint}`)}"><code>${endpoint}</code></a>`
      : html`<code>${endpoint}</code>`,
  ],
  [words.error, deliveryErrorText(visit, error)],
  [words.created, instantToSecond(visit, delivery.createdAtMs)],
  [words.updated, instantToSecond(visit, delivery.updatedAtMs)],
  [words.next, next === undefined ? undefined : instantToSecond(visit, next)],
])}
${visit.can('deliveries.redeliver') ? form(visit, button('redeliver', words.redeliver)) : undefined}
</section>
${await sentCard(visit, delivery)}
<h2>${words.attempts}</h2>
${attempts.length === 0 ? html`<p>${words.noAttempts}</p>` : html`<p class="hint">${words.answerHint}${visit.can('phones.read') ? undefined : ` ${words.maskedHint}`}</p>`}
${attempts.map((_, index) => attempt(visit, attempts.at(-1 - index)!, attempts.length - index))}`;
  const scripts = ['developers.css'];
  return { title: words.delivery, main, scripts, refreshMs: isPending ? 2_000 : 15_000 };
}

function attempt(visit: MerchantContext, given: DeliveryAttemptDetail, number: number): Html {
  const words = allWords[visit.language];
  const { at, statusCode, durationMs, error, response } = given;
  const name = `${words.attempt} ${count(visit, number)}`;
  return html`<section class="card"><h3>${name} · ${instantToSecond(visit, Date.parse(at))}</h3>
${facts([
  [words.state, statusCode === null ? words.noAnswer : String(statusCode)],
  [words.duration, `${count(visit, durationMs)} ms`],
  [words.error, deliveryErrorText(visit, error)],
])}
${response === null ? undefined : answer(visit, `${words.answer} ${count(visit, number)}`, response)}</section>`;
}

/** Strangers' text to read; phones in it are masked without the permission. */
function answer(visit: MerchantContext, name: string, response: string): Html {
  if (response === '') return html`<p class="hint">${allWords[visit.language].emptyAnswer}</p>`;
  return quoted(name, plainText(visit.can('phones.read') ? response : withoutPhones(response)));
}
