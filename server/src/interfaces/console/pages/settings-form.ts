import { type Html, html } from '../../../platform/text/html.ts';
import { languages } from '../../../platform/text/language.ts';
import { timeZoneName } from '../../../platform/text/time-zone-name.ts';
import { currencies } from '../../../platform/values/money.ts';
import { defaultColour } from '../../../storefront/checkout/page/assets.ts';
import type { Brand } from '../../../tenants/merchants/brand.ts';
import { merchantTimeZones } from '../../../tenants/merchants/time-zone.ts';
import {
  area,
  button,
  checkbox,
  type FieldErrors,
  field,
  form,
  hidden,
  select,
} from '../parts/form.ts';
import { instant } from '../parts/format.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './settings.words.ts';

/** The stored settings, and the input if it is shown again. */
export interface Shown {
  brand: Brand;
  sent: SentForm | undefined;
  /** A new logo; null to remove it, undefined for the stored one. */
  logo: Buffer | null | undefined;
  errors: FieldErrors;
}

/** The default colour counts as none, because a browser's colour field is never empty. */
export const colourOf = (typed: string): string | null =>
  typed === '' || typed.toLowerCase() === defaultColour ? null : typed.toLowerCase();

type Name =
  | 'name'
  | 'colour'
  | 'contactPhone'
  | 'contactEmail'
  | 'website'
  | 'taxNumber'
  | 'receiptText'
  | 'defaultCurrency'
  | 'timeZone';

/** The input, otherwise the stored value. */
export const settingOf = ({ brand, sent }: Shown, name: Name): string =>
  sent === undefined ? (brand[name] ?? '') : sent.text(name);

/** `pt,en` */
export const languagesOf = ({ brand, sent }: Shown): string =>
  sent?.text('pageLanguages') || (brand.pageLanguages ?? languages).join(',');

/** The form with all settings. */
export function settingsForm(visit: MerchantContext, shown: Shown): Html {
  const words = allWords[visit.language];
  const content = html`${look(visit, shown)}
${contactPart(visit, shown)}
${receiptPart(visit, shown)}
${moneyPart(visit, shown)}
<p class="bar">${button('save', visit.words.save)} ${button('preview', words.show, 'plain')}</p>`;
  return html`<section class="card">${form(visit, content, html` enctype="multipart/form-data"`)}</section>`;
}

const options = (shown: Shown, name: Name) => ({
  value: settingOf(shown, name),
  error: shown.errors[name],
});

function look(visit: MerchantContext, shown: Shown): Html {
  const words = allWords[visit.language];
  const { brand, logo, errors } = shown;
  const colour = settingOf(shown, 'colour') || defaultColour;
  const kept = logo
    ? html`${hidden('keptLogo', logo.toString('base64'))}<p class="hint">${words.logoKept}</p>`
    : undefined;
  return html`<h2>${words.look}</h2>
${field('name', words.brandName, { ...options(shown, 'name'), hint: words.nameHint, placeholder: visit.merchant.name, maxLength: 255 })}
<div class="field"><label for="colour">${words.colour}</label><input id="colour" name="colour" type="color" value="${colour}" aria-describedby="colour-hint"><p class="hint" id="colour-hint">${words.colourHint}</p>${errors.colour === undefined ? undefined : html`<p class="error">${errors.colour}</p>`}</div>
<div class="field"><label for="logo">${words.logo}</label><input id="logo" name="logo" type="file" accept="image/svg+xml,image/png" aria-describedby="logo-hint"><p class="hint" id="logo-hint">${words.logoHint}</p>${errors.logo === undefined ? undefined : html`<p class="error">${errors.logo}</p>`}</div>
${kept}
${brand.logoBytes === null ? undefined : checkbox('without', words.noLogo, 'yes', logo === null)}`;
}

function contactPart(visit: MerchantContext, shown: Shown): Html {
  const words = allWords[visit.language];
  const phone = { hint: words.contactHint, placeholder: '+238 991 23 45', maxLength: 64 };
  return html`<h2>${words.contact}</h2>
${field('contactPhone', words.contactPhone, { ...options(shown, 'contactPhone'), ...phone, type: 'tel' })}
${field('contactEmail', words.contactEmail, { ...options(shown, 'contactEmail'), inputMode: 'email', maxLength: 254 })}
${field('website', words.website, { ...options(shown, 'website'), placeholder: 'https://loja.cv', maxLength: 255 })}`;
}

function receiptPart(visit: MerchantContext, shown: Shown): Html {
  const words = allWords[visit.language];
  return html`<h2>${words.receipt}</h2>
${field('taxNumber', words.taxNumber, { ...options(shown, 'taxNumber'), hint: words.taxNumberHint, maxLength: 30 })}
${area('receiptText', words.receiptText, { ...options(shown, 'receiptText'), hint: words.receiptTextHint, maxLength: 200 })}
${select('pageLanguages', words.pageLanguages, Object.entries(words.languageChoices), { value: languagesOf(shown), hint: words.pageLanguagesHint, error: shown.errors.pageLanguages })}`;
}

function moneyPart(visit: MerchantContext, shown: Shown): Html {
  const words = allWords[visit.language];
  const { language, timeZone } = visit;
  const zones = merchantTimeZones.map((each) => [each, timeZoneName(language, each)] as const);
  const next = visit.timeZones.find(({ fromMs }) => fromMs > visit.nowMs);
  const change =
    next &&
    html`<p class="notice note" role="status">${words.next(timeZoneName(language, next.timeZone))} ${instant(visit, next.fromMs)}</p>`;
  return html`<h2>${words.money}</h2>
${select('defaultCurrency', words.defaultCurrency, [['', words.byFirst], ...currencies.map((each) => [each, each] as const)], { ...options(shown, 'defaultCurrency'), hint: words.defaultCurrencyHint })}
${select('timeZone', words.timeZone, [['', words.byCurrency], ...zones], { ...options(shown, 'timeZone'), hint: `${words.holds(timeZoneName(language, timeZone))} ${words.timeZoneHint}` })}
${change}`;
}
