import { type Html, html } from '../../../platform/text/html.ts';
import { descriptionOf } from '../attempt.ts';
import type { AttemptProofs } from '../attempt-proofs.ts';
import type { SessionHead } from '../session.ts';
import type { Shop } from '../store.ts';
import { amountOf, nameText, type PaymentPage, shortened, stateOf } from './state.ts';

const longest = 150;

/**
 * The preview that WhatsApp and others show for a shared link: the payee, the amount and the description. It contains
 * neither the link's secret nor a phone.
 */
export function preview(page: PaymentPage): Html {
  const { session, shop, words, picture } = page;
  const name = nameText(shop.name);
  const state = stateOf(page);
  const canPay = state === 'OPEN' || state === 'WAITING';
  const title = canPay ? `${words.payTo(name)} · ${amountOf(page)}` : words.payTo(name);
  const about = descriptionOf(session);
  const text = about === null ? words.payByPhone : shortened(nameText(about), longest);
  const image = picture && html`\n<meta property="og:image" content="${picture}">`;
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">${image}`;
}

/** Of a PNG logo, if others can load its address: WhatsApp requires https, and accepts no SVG. */
export function pictureOf(
  { publicUrl, attemptProofs }: { publicUrl: string; attemptProofs: AttemptProofs },
  { tenantId }: Pick<SessionHead, 'tenantId'>,
  { logoVersion, logoIsPng }: Pick<Shop, 'logoVersion' | 'logoIsPng'>,
): string | undefined {
  if (logoVersion === null || !logoIsPng || !publicUrl.startsWith('https:')) return undefined;
  const proof = attemptProofs.of({ tenantId, id: tenantId });
  return `${publicUrl}/pay/picture/${tenantId}/${proof}.png?v=${logoVersion}`;
}

const shape = /^([\da-f-]{36})\/([\w-]{22})\.png$/;

/** The tenant whose logo is requested; undefined unless we made the address. */
export function tenantOfPicture(path: string, attemptProofs: AttemptProofs): string | undefined {
  const [, tenantId, proof] = shape.exec(path) ?? [];
  if (tenantId === undefined || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(tenantId))
    return undefined;
  return attemptProofs.isOf({ tenantId, id: tenantId }, proof!) ? tenantId : undefined;
}
