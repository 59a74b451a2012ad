import { type Html, html } from '../../../platform/text/html.ts';
import type { MerchantContext } from '../request-context.ts';

/** Suggestions for a shop without payments. */
export function firstSteps(visit: MerchantContext): Html | undefined {
  if (!visit.can('payments.charge')) return undefined;
  const { pages } = visit.words;
  const link = visit.can('links.write')
    ? html`<a class="button plain" href="${visit.to('links/new')}">${pages.links}</a>`
    : undefined;
  return html`<p class="bar"><a class="button primary" href="${visit.to('charge')}">${pages.charge}</a>${link}</p>`;
}
