import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import { isUsable, type PaymentLink } from '../../../storefront/payment-links/payment-link.ts';
import { findLink } from '../../../storefront/payment-links/store.ts';
import { findProducts } from '../../../storefront/products/store.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { form } from '../parts/form.ts';
import { amount, count, customerAmount, day, instant } from '../parts/format.ts';
import { codeView, logoView, posterView } from '../parts/poster.ts';
import { words as posterWords } from '../parts/poster.words.ts';
import { shareBar } from '../parts/share-buttons.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as linkWords } from './link.words.ts';
import { linkPayments } from './reusable-link-payments.ts';
import { words as allWords } from './reusable-links.words.ts';

/** The page of a reusable link. */
export const reusableLinkPath = (id: string): string => `links/reusable/${formatId('pl', id)}`;

/** A reusable link: its QR code, ways to share it, who paid by it, and its pause. */
export const reusableLinkPage: ConsolePage = {
  path: 'links/reusable/:id',
  permission: 'payments.read',
  show: view,
  actions: {
    'turn-on': { permission: 'links.write', run: (visit) => turn(visit, true) },
    'turn-off': { permission: 'links.write', run: (visit) => turn(visit, false) },
  },
};

/** The QR code alone, of the short address: fewer and larger squares. */
export const reusableCodePage: ConsolePage = {
  path: 'links/reusable/:id/qr.svg',
  permission: 'payments.read',
  show: async (visit) => codeView((await urlsOf(visit)).shortUrl),
};

/** The shop's logo, for posters. */
export const reusableLogoPage: ConsolePage = {
  path: 'links/reusable/:id/logo',
  permission: 'payments.read',
  show: logoView,
};

/** The poster for the counter, which also says the address to people without a camera. */
export const reusablePosterPage: ConsolePage = {
  path: 'links/reusable/:id/poster',
  permission: 'payments.read',
  async show(visit) {
    const link = await linkIn(visit);
    const { shortUrl } = await urlsOf(visit);
    return posterView(visit, {
      back: reusableLinkPath(link.id),
      description: link.description,
      figure: await figureOf(visit, link, customerAmount),
      hint: shortUrl.replace(/^https?:\/\//, ''),
    });
  },
};

/** @throws NOT_FOUND */
async function linkIn({ services, tenantId, params }: MerchantContext): Promise<PaymentLink> {
  const id = parseId('pl', params.id ?? '');
  const link = id && (await findLink(services.database, tenantId, id));
  if (!link) throw notFound('payment link');
  return link;
}

const urlsOf = async (visit: MerchantContext) => visit.services.linkUrls.of(await linkIn(visit));

async function view(visit: MerchantContext): Promise<View> {
  const link = await linkIn(visit);
  const words = allWords[visit.language];
  const main = html`${doneNotice(visit, words.done)}
<div class="columns">
${await toPay(visit, link)}
<section class="card"><h2>${linkWords[visit.language].about}</h2>
${await about(visit, link)}
${visit.can('links.write') ? toggle(visit, link) : undefined}
</section></div>
${await linkPayments(visit, link)}`;
  return { title: words.oneTitle, main, scripts: ['till.css', 'till.js'] };
}

async function toPay(visit: MerchantContext, link: PaymentLink): Promise<Html> {
  const words = allWords[visit.language];
  const { codeAlt, poster } = posterWords[visit.language];
  const page = reusableLinkPath(link.id);
  const { shortUrl } = await visit.services.linkUrls.of(link);
  const { scan, shareText } = linkWords[visit.language];
  const state = stateOf(visit, link);
  const hints = { on: scan, off: words.offHint, ended: words.endedHint };
  return html`<section class="card to-pay">
<p class="about">${named(link.description)}</p>
<p class="figure">${await figureOf(visit, link)}</p>
<img class="code" src="${visit.to(`${page}/qr.svg`)}" width="240" height="240" alt="${codeAlt}">
<p><code>${shortUrl}</code></p>
<p>${hints[state]}</p>
${state === 'on' ? shareBar(visit, shareText(nameText(visit.merchant.name)), shortUrl) : undefined}
<p><a href="${visit.to(`${page}/poster`)}">${icon('print')} ${poster}</a></p>
</section>`;
}

/** Whether it can be used now, and otherwise why not. */
export function stateOf(visit: MerchantContext, link: PaymentLink): 'on' | 'off' | 'ended' {
  if (!link.active) return 'off';
  return isUsable(link, visit.nowMs) ? 'on' : 'ended';
}

/** What the customer pays: a fixed amount, the product's price, or the bounds. */
async function figureOf(
  visit: MerchantContext,
  link: PaymentLink,
  written = amount,
): Promise<Html | undefined> {
  const { amountMinor, minAmountMinor, maxAmountMinor, currency, productId } = link;
  if (amountMinor !== null) return written(visit, amountMinor, currency);
  if (minAmountMinor !== null && maxAmountMinor !== null) {
    return html`<span>${written(visit, minAmountMinor, currency)} – ${written(visit, maxAmountMinor, currency)}</span>`;
  }
  const { database } = visit.services;
  const [product] = await findProducts(database, visit.tenantId, [productId!]);
  return product && written(visit, product.priceMinor, product.currency);
}

async function about(visit: MerchantContext, link: PaymentLink): Promise<Html> {
  const words = allWords[visit.language];
  const { maxUses, expiresAtMs, productId } = link;
  const { database } = visit.services;
  const [product] =
    productId === null ? [] : await findProducts(database, visit.tenantId, [productId]);
  return facts([
    [words.state, words.states[stateOf(visit, link)]],
    [words.productChoice, product && productLink(visit, product)],
    [words.uses, usesText(visit, link)],
    [words.maxUses, maxUses === null ? undefined : count(visit, maxUses)],
    [words.until, expiresAtMs === null ? undefined : day(visit, expiresAtMs)],
    [words.created, instant(visit, link.createdAtMs)],
  ]);
}

const productLink = (visit: MerchantContext, { id, name }: { id: string; name: string }) =>
  html`<a href="${visit.to(`products/${formatId('pr', id)}`)}">${named(name)}</a>`;

const usesText = (visit: MerchantContext, { uses }: PaymentLink) => count(visit, uses);

function toggle(visit: MerchantContext, { active }: PaymentLink): Html {
  const words = allWords[visit.language];
  const [action, label] = active ? ['turn-off', words.turnOff] : ['turn-on', words.turnOn];
  const hint = active ? html`<p class="hint">${words.turnOffHint}</p>` : undefined;
  return form(
    visit,
    html`${hint}<button class="button ${active ? 'plain' : 'primary'}" name="action" value="${action}">${label}</button>`,
  );
}

async function turn(visit: MerchantContext, active: boolean): Promise<Redirect> {
  const { services, tenantId, author } = visit;
  const { id } = await linkIn(visit);
  await services.changeLink({ tenantId, id }, { active }, author);
  return { to: visit.to(reusableLinkPath(id), { done: active ? 'on' : 'off' }) };
}
