import type { OperatorName } from '../../../integrations/operators/operator.ts';
import type { Troubles } from '../../../integrations/operators/read-details.ts';
import type { Payment } from '../../../money/payments/payment.ts';
import { Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Contact } from '../../../tenants/merchants/contact.ts';
import { shownUrl, withSessionId } from '../return-url.ts';
import { hasAttemptsLeft, type SessionHead } from '../session.ts';
import type { Shop } from '../store.ts';
import { customerMoney } from './money.ts';
import { writtenPhone } from './phone.ts';
import { type MerchantContext, queryOf } from './query-parameters.ts';

/** The data of a page. `mine` is present only if it proves the latest attempt. */
export interface PaymentPage extends MerchantContext {
  session: SessionHead;
  shop: Shop;
  /** The payment of the latest attempt. */
  payment: Payment | undefined;
  /** The link to its receipt, once it is paid. */
  receiptToken: string | undefined;
  /** The operators that the customer can choose from. */
  operators: readonly OperatorName[];
  /** Those of them that do not work well just now. */
  troubles: Troubles;
  nowMs: number;
  /** The address of a picture of the shop, for link previews. */
  picture: string | undefined;
}

export type PageState = 'OPEN' | 'WAITING' | 'PAID' | 'EXPIRED';

export function stateOf({ session, nowMs }: PaymentPage): PageState {
  if (session.status === 'COMPLETED') return 'PAID';
  if (session.attemptInFlight) return 'WAITING';
  return session.status === 'EXPIRED' || session.expiresAtMs <= nowMs ? 'EXPIRED' : 'OPEN';
}

/**
 * The operator has reported a payment that differs from our request: it may be paid, so the page offers nothing else.
 */
export const isChecked = ({ session, payment }: PaymentPage): boolean =>
  session.attemptInFlight && payment?.mismatched === true;

/** Whether the customer may cancel the attempt and change the number: only if another attempt could follow. */
export const mayChange = ({ session, payment, nowMs }: PaymentPage): boolean =>
  session.attemptInFlight &&
  payment?.mismatched !== true &&
  hasAttemptsLeft(session) &&
  session.expiresAtMs > nowMs;

/** The address of this page, with another parameter. */
export const pageAddress = (
  { lang, mine, frame }: PaymentPage,
  more: Record<string, string> = {},
): string => queryOf({ lang, mine, frame, ...more }) || '?';

/** Changes with everything that the page shows of the session; `findVersions` in store.ts returns the same. */
export function versionOf({ session, payment }: PaymentPage): string {
  return `${session.version}.${payment?.version ?? 0}`;
}

export const amountOf = ({ session, words }: PaymentPage) =>
  customerMoney(session.amountMinor, session.currency, words.language);

/**
 * A name chosen by someone else, as text. Characters that change the direction of writing are removed; otherwise a
 * name could make the text beside it read as something else.
 */
export function nameText(name: string): string {
  return name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cc}/gu, ' ').trim();
}

export const named = (name: string): Html => html`<bdi>${nameText(name)}</bdi>`;

export function shortened(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

export function backToShop(page: PaymentPage): Html | undefined {
  const address = shopLink(page.session, page.session.returnUrl) ?? page.shop.website;
  return address === null ? undefined : shopAnchor(address, page);
}

type InFrame = Pick<MerchantContext, 'words'> & Partial<Pick<MerchantContext, 'frame'>>;

/** "Back to the shop". In a frame, the customer is still there: the script closes the frame. */
export function shopAnchor(address: string, { words, frame }: InFrame): Html {
  const leaves = frame && html` target="_top" data-close`;
  return html`<p class="back"><a href="${address}"${leaves}>${words.backToShop}</a></p>`;
}

/** For a link that a frame has no room for. */
export const apart = (frame: InFrame['frame']): Html | undefined => frame && html` target="_blank"`;

/** How to contact the shop, if it has said so. */
export function contact(
  { contactPhone, contactEmail, website }: Contact,
  { words, frame }: InFrame,
): Html | undefined {
  const links = [
    contactPhone && html`<a href="tel:${contactPhone}">${writtenPhone(contactPhone)}</a>`,
    contactEmail && html`<a href="mailto:${encodeURI(contactEmail)}">${named(contactEmail)}</a>`,
    website &&
      html`<a href="${website}" rel="noopener"${apart(frame)}>${named(hostOf(website))}</a>`,
  ].filter((link): link is Html => link instanceof Html);
  if (links.length === 0) return undefined;
  return html`<p class="contact">${words.contactShop} ${links.map((link) => html`<span>${link}</span>`)}</p>`;
}

const hostOf = (website: string) => new URL(website).host.replace(/^www\./, '');

/** An address of the shop with the session's id; null if there is none to show. */
export function shopLink(session: SessionHead, url: string | null): string | null {
  const shown = shownUrl(url);
  return shown && withSessionId(shown, formatId('cs', session.id));
}
