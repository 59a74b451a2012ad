import { parseInstant } from '../../../platform/formats/instant.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { button, type FieldErrors, field, form, hidden, select } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { localInstantMs, localText } from '../parts/local-time.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { deliveryStatusOf, statusChoices } from './endpoint-deliveries.ts';
import { words as allWords } from './endpoints.words.ts';

type Result =
  | { errors: FieldErrors }
  | { said: string }
  | { query: Record<string, string | undefined> };

/** Redelivers the events of a period. */
export async function redeliverRange(
  visit: MerchantContext,
  id: string,
  sent: SentForm,
): Promise<Result> {
  const words = allWords[visit.language];
  const { wrong } = words;
  const sinceMs = sinceOf(visit, sent);
  const typedUntil = sent.text('until');
  const untilMs = typedUntil === '' ? visit.nowMs : localInstantMs(typedUntil, visit.timeZone);
  if (sinceMs === undefined) return { errors: { since: wrong.since } };
  if (untilMs === undefined || untilMs < sinceMs) return { errors: { until: wrong.until } };
  const range = { sinceMs, untilMs, status: deliveryStatusOf(sent.text('of')) };
  const key = { tenantId: visit.tenantId, id };
  const done = await refusalOr(visit.services.redeliver.range(key, range, visit.author));
  if (!('count' in done)) return { said: words.disabledHint };
  const { count, nextSinceMs } = done;
  if (nextSinceMs === null) return { query: { count: String(count) } };
  // Prefilled in the form, so that one press continues.
  const since = localText(nextSinceMs, visit.timeZone);
  const after = new Date(nextSinceMs).toISOString();
  const until = typedUntil || localText(untilMs + minuteMs, visit.timeZone);
  return { query: { count: String(count), since, after, until, of: sent.text('of') } };
}

const minuteMs = 60_000;

/** A minute of the field may contain more events than one request sends: it continues where that ended. */
function sinceOf({ timeZone }: MerchantContext, sent: SentForm): number | undefined {
  const since = sent.text('since');
  const afterMs = parseInstant(sent.text('after'));
  if (afterMs !== undefined && localText(afterMs, timeZone) === since) return afterMs;
  return localInstantMs(since, timeZone);
}

/** Prefilled from the address if there is more to send. */
export function redeliverForm(
  visit: MerchantContext,
  sent?: SentForm,
  errors: FieldErrors = {},
): Html {
  const words = allWords[visit.language];
  const typed = (name: string) => sent?.text(name) ?? visit.query.get(name) ?? '';
  return html`<section class="card"><h2>${words.redeliverMany}</h2><p>${words.redeliverHint}</p>
${form(
  visit,
  html`${hidden('after', typed('after'))}<div class="pair">${field('since', words.since, { type: 'datetime-local', value: typed('since'), error: errors.since, isRequired: true })}
${field('until', words.until, { type: 'datetime-local', value: typed('until'), error: errors.until, hint: words.untilHint })}
${select('of', words.state, statusChoices(visit), { value: typed('of') })}</div>
${button('redeliver', words.redeliver)}`,
)}</section>`;
}
