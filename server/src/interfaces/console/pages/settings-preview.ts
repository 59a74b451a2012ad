import { type Html, html } from '../../../platform/text/html.ts';
import { type Language, languages } from '../../../platform/text/language.ts';
import { endOfPhone, normalizePhone } from '../../../platform/values/phone.ts';
import { defaultColour } from '../../../storefront/checkout/page/assets.ts';
import { fact, zonedInstant } from '../../../storefront/checkout/page/format.ts';
import { type Locale, locales } from '../../../storefront/checkout/page/locale.ts';
import { customerMoney } from '../../../storefront/checkout/page/money.ts';
import { countryOf, writtenPhone } from '../../../storefront/checkout/page/phone.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { ownText } from '../../../storefront/receipts/page.ts';
import { receiptWords } from '../../../storefront/receipts/page.words.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './settings.words.ts';
import { colourOf, languagesOf, type Shown, settingOf } from './settings-form.ts';

const amountMinor = 150_000n;
const samplePhone = { CVE: '+2389912345', AOA: '+244923456789' };

/** The payment page and the receipt in small, in each language of the shop. */
export function previews(visit: MerchantContext, shown: Shown): Html {
  const words = allWords[visit.language];
  const asked = languagesOf(shown).split(',');
  const known = asked.flatMap((each) => languages.filter((language) => language === each));
  const colour = colourOf(settingOf(shown, 'colour')) ?? defaultColour;
  const style = /^#[0-9a-f]{6}$/.test(colour) ? colour.slice(1) : defaultColour.slice(1);
  return html`<section class="previews" aria-labelledby="preview">
<link rel="stylesheet" href="${visit.to('settings/colours', { colour: style })}">
<h2 id="preview">${words.preview}</h2><p class="hint">${words.previewHint}</p>
${known.map((language) => pair(visit, shown, language))}</section>`;
}

function pair(visit: MerchantContext, shown: Shown, language: Language): Html {
  const words = allWords[visit.language];
  const locale = locales[language];
  return html`<div class="pair-of-screens">
<figure><figcaption>${words.payment} · ${locale.name}</figcaption>${paymentScreen(visit, shown, locale)}</figure>
<figure><figcaption>${words.paidWith} · ${locale.name}</figcaption>${receiptScreen(visit, shown, locale)}</figure></div>`;
}

const currencyOf = ({ ownCurrency }: MerchantContext, shown: Shown) =>
  settingOf(shown, 'defaultCurrency') === 'AOA'
    ? 'AOA'
    : settingOf(shown, 'defaultCurrency') === 'CVE'
      ? 'CVE'
      : (ownCurrency ?? 'CVE');

function paymentScreen(visit: MerchantContext, shown: Shown, locale: Locale): Html {
  const currency = currencyOf(visit, shown);
  const sum = customerMoney(amountMinor, currency, locale.language);
  const { example } = countryOf[currency];
  return html`<div class="screen" lang="${locale.tag}">${head(visit, shown)}
<p class="soft">${locale.total}</p><p class="sum">${sum}</p>
<p class="soft">${locale.phone}</p><p class="box">${example}</p>
<p class="pay">${locale.pay(sum)}</p>
${contactLine(shown, locale)}</div>`;
}

function receiptScreen(visit: MerchantContext, shown: Shown, locale: Locale): Html {
  const currency = currencyOf(visit, shown);
  const own = receiptWords[locale.language];
  const receiptText = settingOf(shown, 'receiptText').trim() || null;
  const taxNumber = settingOf(shown, 'taxNumber');
  return html`<div class="screen" lang="${locale.tag}">${head(visit, shown, own.title)}
<p class="soft">${own.paid}</p><p class="sum">${customerMoney(amountMinor, currency, locale.language)}</p>
<dl>${fact(locale.facts.date, zonedInstant(visit.nowMs, visit.timeZones, locale))}
${fact(own.phone, endOfPhone(samplePhone[currency]))}
${taxNumber === '' ? undefined : fact(own.taxNumber, taxNumber)}</dl>
${ownText({ receiptText })}
<p class="soft">${own.noInvoice}</p>
${contactLine(shown, locale)}</div>`;
}

function head(visit: MerchantContext, shown: Shown, title?: string): Html {
  const name = settingOf(shown, 'name') || visit.merchant.name;
  const small = title === undefined ? undefined : html`<small>${title}</small>`;
  const source = logoSource(visit, shown);
  const logo = source === undefined ? undefined : html`<img class="logo" src="${source}" alt="">`;
  return html`<p class="shop">${logo}${small}<b>${named(name)}</b></p>`;
}

/** A logo that is not stored yet is part of the page. */
function logoSource(visit: MerchantContext, { brand, logo }: Shown): string | undefined {
  if (logo === null) return undefined;
  if (logo === undefined) return brand.logoBytes === null ? undefined : visit.to('settings/logo');
  const type = logo[0] === 0x89 ? 'image/png' : 'image/svg+xml';
  return `data:${type};base64,${logo.toString('base64')}`;
}

function contactLine(shown: Shown, { contactShop }: Locale): Html | undefined {
  const texts = (['contactPhone', 'contactEmail', 'website'] as const)
    .map((name) => settingOf(shown, name))
    .map((text) => writtenPhone(normalizePhone(text) ?? text))
    .filter((text) => text !== '');
  if (texts.length === 0) return undefined;
  return html`<p class="soft">${contactShop} ${texts.map((text) => html`<span class="contact">${named(text)}</span> `)}</p>`;
}
