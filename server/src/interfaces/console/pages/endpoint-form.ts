import { type EventType, eventTypes } from '../../../integrations/events/event.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { checkbox, type FieldErrors, field } from '../parts/form.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './endpoints.words.ts';

export interface EndpointFields {
  url: string;
  description: string;
  events: readonly string[];
}

/** The settings of a new or changed endpoint. */
export function endpointFields(
  { language }: MerchantContext,
  { url, description, events }: EndpointFields,
  errors: FieldErrors = {},
): Html {
  const words = allWords[language];
  return html`${field('url', words.url, { value: url, error: errors.url, hint: words.urlHint, isRequired: true, maxLength: 2_048 })}
${field('description', words.description, { value: description, maxLength: 500 })}
<fieldset${errors.events === undefined ? undefined : html` aria-describedby="events-error"`}><legend>${words.events}</legend>
<p class="hint">${words.eventsHint}</p>
${errors.events === undefined ? undefined : html`<p class="error" id="events-error">${errors.events}</p>`}
<div class="choices">${eventTypes.map((type) => checkbox('events', type, type, events.includes(type)))}</div></fieldset>`;
}

export function sentFields(sent: SentForm) {
  const events = sent.all('events');
  return {
    url: sent.text('url'),
    description: sent.text('description'),
    events: eventTypes.filter((type): type is EventType => events.includes(type)),
  };
}
