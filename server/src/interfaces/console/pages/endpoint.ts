import type { WebhookEndpoint } from '../../../integrations/webhooks/endpoint.ts';
import { findEndpoint } from '../../../integrations/webhooks/endpoint-store.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, type FieldErrors, form, hidden, notice, select } from '../parts/form.ts';
import { formErrors, refusalOr } from '../parts/form-errors.ts';
import { count, idText, instant, status } from '../parts/format.ts';
import { freshKey, keyField } from '../parts/idempotency-key.ts';
import { plainText } from '../parts/plain-text.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { deliveriesOf } from './endpoint-deliveries.ts';
import { type EndpointFields, endpointFields, sentFields } from './endpoint-form.ts';
import { figuresOf, health } from './endpoints.ts';
import { words as allWords } from './endpoints.words.ts';
import { secretOf } from './new-endpoint.ts';
import { redeliverForm, redeliverRange } from './redeliver-range.ts';

const overlaps = ['24', '1', '72', '0'];

/** One endpoint: its events, its health, and its actions. */
export const endpointPage: ConsolePage = {
  path: 'endpoints/:id',
  permission: 'endpoints.read',
  async show(visit) {
    return view(visit, await endpointOf(visit));
  },
  actions: {
    change: { permission: 'endpoints.write', isSensitive: true, run: change },
    enable: { permission: 'endpoints.write', run: (visit) => setStatus(visit, 'ACTIVE') },
    disable: { permission: 'endpoints.write', run: (visit) => setStatus(visit, 'DISABLED') },
    rotate: { permission: 'endpoints.write', isSensitive: true, run: rotate },
    remove: { permission: 'endpoints.write', run: remove },
    test: { permission: 'endpoints.write', run: sendTest },
    redeliver: { permission: 'deliveries.redeliver', run: redeliverMany },
  },
};

/** @throws NOT_FOUND if the merchant has no such endpoint in this mode */
async function endpointOf({
  params,
  tenantId,
  services,
}: MerchantContext): Promise<WebhookEndpoint> {
  const id = parseId('we', params.id ?? '');
  const endpoint = id && (await findEndpoint(services.database, tenantId, id));
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

const pageOf = ({ id }: WebhookEndpoint) => `endpoints/${formatId('we', id)}`;

async function change(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const { wrong } = allWords[visit.language];
  const endpoint = await endpointOf(visit);
  const fields = sentFields(sent);
  const { url, events } = fields;
  if (events.length === 0)
    return again(visit, endpoint, { fields, errors: { events: wrong.events } });
  const wanted = { url, events, description: fields.description || null };
  const key = { tenantId: visit.tenantId, mode: visit.mode, id: endpoint.id };
  const changed = await refusalOr(visit.services.updateEndpoint(key, wanted, visit.author));
  if ('id' in changed) return { to: visit.to(pageOf(endpoint), { done: 'changed' }) };
  const codes = { VALIDATION_ERROR: { url: wrong.url } };
  return again(visit, endpoint, { fields, errors: formErrors(visit, changed, { codes }) });
}

async function setStatus(visit: MerchantContext, status: 'ACTIVE' | 'DISABLED'): Promise<Redirect> {
  const endpoint = await endpointOf(visit);
  const key = { tenantId: visit.tenantId, mode: visit.mode, id: endpoint.id };
  await visit.services.updateEndpoint(key, { status }, visit.author);
  const done = status === 'ACTIVE' ? 'enabled' : 'disabled';
  return { to: visit.to(pageOf(endpoint), { done }) };
}

async function rotate(visit: MerchantContext, sent: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const endpoint = await endpointOf(visit);
  const chosen = sent.text('overlap');
  const hours = Number(overlaps.includes(chosen) ? chosen : overlaps[0]);
  // A form without the version that its reader saw is not ours.
  const seenVersion = Number(/^\d{1,9}$/.exec(sent.text('version'))?.[0] ?? 0);
  const key = { tenantId: visit.tenantId, id: endpoint.id, seenVersion };
  // With the reader's version, so that it ends an overlap only if the page showed that.
  const rotation = { overlapHours: hours, endOverlap: true };
  const rotated = await refusalOr(visit.services.rotateSecret(key, rotation, visit.author));
  if (!('secret' in rotated) || rotated.secret === undefined) {
    return { ...(await again(visit, endpoint, { said: words.changedMeanwhile })), status: 409 };
  }
  const until = instant(visit, rotated.overlapEndsAtMs);
  const more =
    hours === 0 ? html`<p>${words.oldEnded}</p>` : html`<p>${words.oldUntil} ${until}.</p>`;
  const main = secretOf(visit, formatId('we', endpoint.id), rotated.secret, more);
  return { title: words.one, main, scripts: ['developers.css'] };
}

async function remove(visit: MerchantContext): Promise<Redirect> {
  const { id } = await endpointOf(visit);
  await visit.services.deleteEndpoint({ tenantId: visit.tenantId, id }, visit.author);
  return { to: visit.to('endpoints', { done: 'deleted' }) };
}

async function sendTest(visit: MerchantContext, form: SentForm): Promise<View | Redirect> {
  const endpoint = await endpointOf(visit);
  const key = { tenantId: visit.tenantId, id: endpoint.id };
  const sent = await refusalOr(
    visit.services.sendTestEvent(key, visit.author, freshKey(visit, form)),
  );
  if (!('eventId' in sent)) {
    return again(visit, endpoint, { said: allWords[visit.language].disabledHint });
  }
  const delivery = `${pageOf(endpoint)}/deliveries/${formatId('dl', sent.eventId)}`;
  return { to: visit.to(delivery, { done: 'tested' }) };
}

async function redeliverMany(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const endpoint = await endpointOf(visit);
  const result = await redeliverRange(visit, endpoint.id, sent);
  if ('errors' in result) return again(visit, endpoint, { sent, rangeErrors: result.errors });
  if ('said' in result) return again(visit, endpoint, { said: result.said });
  return { to: visit.to(pageOf(endpoint), result.query) };
}

interface Again {
  said?: string;
  fields?: EndpointFields;
  errors?: FieldErrors;
  sent?: SentForm;
  rangeErrors?: FieldErrors;
}

/** The page again, with the mistakes. */
const again = async (
  visit: MerchantContext,
  endpoint: WebhookEndpoint,
  mended: Again,
): Promise<View> => ({
  ...(await view(visit, endpoint, mended)),
  status: 400,
});

async function view(
  visit: MerchantContext,
  endpoint: WebhookEndpoint,
  mended: Again = {},
): Promise<View> {
  const words = allWords[visit.language];
  const figures = (await figuresOf(visit)).get(endpoint.id);
  const problem = mended.said ?? mended.errors?.page;
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}${doneNotice(visit, words.done)}${sentAgain(visit)}
<section class="card">
<p class="bar"><b>${plainText(endpoint.url)}</b> ${status(visit, endpoint.status)}</p>
${disabledNotice(visit, endpoint)}
${facts([
  [words.description, plainText(endpoint.description ?? '')],
  [words.events, html`<code>${endpoint.events.join(', ')}</code>`],
  [words.health, health(visit, figures)],
  [words.id, idText('we', endpoint.id)],
  [words.created, instant(visit, endpoint.createdAtMs)],
  [words.changed, instant(visit, endpoint.updatedAtMs)],
])}
${visit.can('endpoints.write') ? buttons(visit, endpoint) : undefined}
</section>
${await deliveriesOf(visit, endpoint.id)}
${visit.can('deliveries.redeliver') ? redeliverForm(visit, mended.sent, mended.rangeErrors) : undefined}
${visit.can('endpoints.write') ? changes(visit, endpoint, mended) : undefined}`;
  return { title: words.one, main, scripts: ['developers.css'] };
}

function sentAgain(visit: MerchantContext): Html | undefined {
  const words = allWords[visit.language];
  const few = Number(visit.query.get('count') ?? Number.NaN);
  if (!Number.isSafeInteger(few) || few < 0) return undefined;
  const text = words.sentAgain(count(visit, few));
  return notice(visit.query.has('since') ? `${text} ${words.goOn}` : text, 'good');
}

function disabledNotice(
  { language }: MerchantContext,
  { disabledReason }: WebhookEndpoint,
): Html | undefined {
  const words = allWords[language];
  if (disabledReason === null) return undefined;
  return notice(disabledReason === 'GONE' ? words.gone : words.failing, 'bad');
}

function buttons(visit: MerchantContext, { status: now }: WebhookEndpoint): Html {
  const words = allWords[visit.language];
  return now === 'ACTIVE'
    ? form(
        visit,
        html`${keyField(visit)}<p class="bar">${button('test', words.test)}${button('disable', words.disable, 'plain')}</p><p class="hint">${words.disableHint}</p>`,
      )
    : form(
        visit,
        html`<p class="bar">${button('enable', words.enable)}</p><p class="hint">${words.enableHint}</p>`,
      );
}

function changes(
  visit: MerchantContext,
  endpoint: WebhookEndpoint,
  { fields, errors }: Again,
): Html {
  const words = allWords[visit.language];
  const { url, description, events } = endpoint;
  // The form for another secret has no address.
  const kept = visit.kept?.text('url') ? sentFields(visit.kept) : undefined;
  const shown = fields ?? kept ?? { url, description: description ?? '', events };
  const choices = overlaps.map((each) => [each, words.hours(each)] as const);
  return html`<section class="card"><h2>${words.change}</h2>
${form(visit, html`${endpointFields(visit, shown, errors)}${button('change', words.save)}`)}</section>
<section class="card"><h2>${words.rotate}</h2><p>${words.rotateHint}</p>
${form(visit, html`${hidden('version', String(endpoint.version))}${select('overlap', words.overlap, choices)}${button('rotate', words.rotate)}`)}</section>
<details class="card danger-zone"><summary>${words.remove}</summary><p>${words.removeHint}</p>
${form(visit, button('remove', words.removeNow, 'danger'))}</details>`;
}
