import { type Html, html } from '../../../platform/text/html.ts';
import { timeZoneName } from '../../../platform/text/time-zone-name.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { timeZoneAt } from '../../../tenants/merchants/time-zone.ts';
import { words as settingsWords } from '../pages/settings.words.ts';
import { given, instant } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import type { Shown } from './merchant.ts';
import { words as allWords } from './merchant.words.ts';

/** The shop's settings, which its owners change, and a link to who did. */
export function settingsCard(visit: StaffContext, { merchant, brand, timeZones }: Shown): Html {
  const words = allWords[visit.language];
  const settings = settingsWords[visit.language];
  const { language, nowMs } = visit;
  const next = timeZones.find(({ fromMs }) => fromMs > nowMs);
  const zone = html`${timeZoneName(language, timeZoneAt(timeZones, nowMs))}${next && html`<br>${settings.next(timeZoneName(language, next.timeZone))} ${instant(visit, next.fromMs)}`}`;
  const asked = { action: 'merchant.branded', merchant: formatId('me', merchant.id) };
  return html`<section class="card"><h2>${words.settings}</h2>
${visit.can('audit.read') ? html`<p><a href="${visit.to('audit', asked)}">${words.whoChangedSettings}</a></p>` : undefined}
${facts([
  [words.brandName, given(brand.name) ?? words.asMerchant],
  [words.colour, brand.colour ?? words.zimbos],
  [words.logo, brand.logoBytes === null ? words.no : words.yes],
  [words.contactPhone, given(brand.contactPhone) ?? visit.words.none],
  [words.contactEmail, given(brand.contactEmail) ?? visit.words.none],
  [words.website, given(brand.website) ?? visit.words.none],
  [settings.taxNumber, given(brand.taxNumber) ?? visit.words.none],
  [settings.receiptText, given(brand.receiptText, 200) ?? visit.words.none],
  [settings.pageLanguages, settings.languageChoices[brand.pageLanguages?.join() ?? 'pt,en']],
  [settings.defaultCurrency, brand.defaultCurrency ?? settings.byFirst],
  [settings.timeZone, zone],
])}</section>`;
}
