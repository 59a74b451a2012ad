import { eventTypes } from '../../../integrations/events/event.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { ConsolePage, View } from '../page.ts';
import { shownOnce } from '../parts/code-block.ts';
import { button, type FieldErrors, form, hidden, notice } from '../parts/form.ts';
import { formErrors, refusalOr } from '../parts/form-errors.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { type EndpointFields, endpointFields, sentFields } from './endpoint-form.ts';
import { words as allWords } from './endpoints.words.ts';

/** Creates an endpoint; only the answer to the form shows its secret. */
export const newEndpointPage: ConsolePage = {
  path: 'endpoints/new',
  permission: 'endpoints.write',
  async show(visit) {
    const { kept } = visit;
    const once = kept?.text('once') || visit.services.ids.next(visit.nowMs);
    const fields = kept ? sentFields(kept) : { url: '', description: '', events: eventTypes };
    return view(visit, creation(visit, once, fields));
  },
  actions: {
    create: { permission: 'endpoints.write', isSensitive: true, run: create },
  },
};

const view = (visit: MerchantContext, main: Html, status = 200): View => ({
  title: allWords[visit.language].newEndpoint,
  main,
  status,
  scripts: ['developers.css'],
});

async function create(visit: MerchantContext, sent: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const { createEndpoint, ids } = visit.services;
  const fields = sentFields(sent);
  const once = sent.text('once') || ids.next(visit.nowMs);
  const again = (errors: FieldErrors) => view(visit, creation(visit, once, fields, errors), 400);
  if (fields.events.length === 0) return again({ events: words.wrong.events });
  const { url, events } = fields;
  const made = await refusalOr(
    createEndpoint({
      tenantId: visit.tenantId,
      mode: visit.mode,
      url,
      events,
      description: fields.description || null,
      idempotencyKey: `console:${once}`,
      author: visit.author,
    }),
  );
  if ('json' in made) {
    if (made.replayed) return view(visit, seenBefore(visit, words.madeBefore), 409);
    const { id, secret } = JSON.parse(made.json) as { id: string; secret: string };
    return view(visit, secretOf(visit, id, secret));
  }
  if (made.code === 'IDEMPOTENCY_KEY_REUSED')
    return view(visit, seenBefore(visit, words.madeBefore), 409);
  return again(formErrors(visit, made, { codes: { VALIDATION_ERROR: { url: words.wrong.url } } }));
}

/** The secret, shown only once. */
export function secretOf(visit: MerchantContext, id: string, secret: string, more?: Html): Html {
  const words = allWords[visit.language];
  const link = html`<p><a href="${visit.to(`endpoints/${id}`)}">${words.toEndpoint}</a></p>`;
  return html`${shownOnce(visit, words.secret, secret, words.secretHint)}${more}
${visit.can('endpoints.read') ? link : undefined}`;
}

const seenBefore = (visit: MerchantContext, text: string): Html =>
  html`${notice(text, 'bad')}<p><a href="${visit.to('endpoints')}">${allWords[visit.language].backToEndpoints}</a></p>`;

function creation(
  visit: MerchantContext,
  once: string,
  fields: EndpointFields,
  errors: FieldErrors = {},
): Html {
  const words = allWords[visit.language];
  return html`${errors.page && notice(errors.page, 'bad')}<section class="card">${form(
    visit,
    html`${hidden('once', once)}${endpointFields(visit, fields, errors)}${button('create', words.create)}`,
  )}</section>`;
}
