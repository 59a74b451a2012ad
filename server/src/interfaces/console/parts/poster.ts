import { renderSVG } from 'uqr';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { sendPicture } from '../../../storefront/checkout/page/routes.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import { findShop } from '../../../storefront/checkout/store.ts';
import { findLogo } from '../../../tenants/merchants/brand.ts';
import { icon } from '../icons.ts';
import type { Sent, View } from '../page.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './poster.words.ts';

/** What a poster says. */
export interface Poster {
  /** The page of the link. */
  back: string;
  description: string | null;
  figure: Html | undefined;
  /** Below the code. */
  hint: Html | string | undefined;
}

/** The poster for the counter: one sheet of A4. Its code and logo are pages beside it. */
export async function posterView(visit: MerchantContext, given: Poster): Promise<View> {
  const words = allWords[visit.language];
  const shop = await findShop(visit.services.database, visit.tenantId);
  const logo = shop.logoVersion === null ? undefined : html`<img class="logo" src="logo" alt="">`;
  const main = html`<main id="main" class="poster">
<p class="bar no-print"><button type="button" class="button primary" data-print hidden>${icon('print')} ${words.print}</button> <a class="button plain" href="${visit.to(given.back)}">${words.back}</a></p>
<svg class="band" aria-hidden="true"><rect width="100%" height="100%" fill="${shop.colour ?? '#0b5d44'}"/></svg>
${logo}<h1>${named(shop.name)}</h1>
${given.description === null ? undefined : html`<p class="about">${named(given.description)}</p>`}
${given.figure === undefined ? undefined : html`<p class="figure">${given.figure}</p>`}
<img class="code" src="qr.svg" alt="${words.codeAlt}">
<p class="how">${words.how}</p>
<p class="hint">${given.hint}</p>
${visit.mode === 'test' ? html`<p class="notice note">${visit.words.testBanner}</p>` : undefined}
</main>`;
  const scripts = ['till.css', 'till.js'];
  return { title: `${words.poster} · ${nameText(shop.name)}`, main, bare: true, scripts };
}

/** A QR code alone, as a picture that the page's policy allows. */
export function codeView(address: string): Sent {
  const picture = renderSVG(address, { ecc: 'M', border: 4 });
  return { send: (reply) => reply.header('content-type', 'image/svg+xml').send(picture) };
}

/** The shop's logo, for posters. */
export async function logoView({ services, tenantId }: MerchantContext): Promise<Sent> {
  const logo = await findLogo(services.database, tenantId);
  if (!logo) throw notFound('logo');
  return { send: (reply) => sendPicture(logo, reply) };
}
