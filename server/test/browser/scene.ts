import type { BrowserContextOptions, Page } from 'playwright-core';
import type {
  CheckoutSession,
  CreateCheckoutSessionBody,
} from '../../../sdk/typescript/src/index.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import type { Language } from '../../src/platform/text/language.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { type Locale, locales } from '../../src/storefront/checkout/page/locale.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { openSession } from '../support/checkout.ts';
import { apiOf, zimboOf } from '../support/gateway.ts';
import { addressOf, cart, newPage, openContext, openShop, type Shop, says } from './pages.ts';

/** A session's page in a browser. */
export interface Scene {
  shop: Shop;
  session: CheckoutSession;
  page: Page;
  words: Locale;
}

export interface State {
  name: string;
  /** The shop of the session; by default one without a brand. */
  shop?: keyof Shops;
  /** The content of the session; by default the cart. */
  asks?: CreateCheckoutSessionBody;
  /** Brings the session, and the page that shows it, into the state. */
  prepare?(scene: Scene): Promise<unknown>;
  /** The text of the page in that state. */
  says(words: Locale): string;
}

/** Merchants of one gateway. */
export interface Shops {
  plain: Shop;
  orange: Shop;
  long: Shop;
  suspended: Shop & { session: CheckoutSession };
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 48"><rect width="48" height="48" rx="12" fill="#e8590c"/><path d="M8 32q8-14 16 0t16 0" fill="none" stroke="#fff" stroke-width="5"/></svg>`;
const contact = `contact_phone = '+2389912345', contact_email = 'loja@praia.cv', contact_website = 'https://praia.cv/'`;
const orange = `brand_colour = '#e8590c', brand_logo = '${`\\x${Buffer.from(logo).toString('hex')}`}',
  brand_logo_type = 'image/svg+xml', ${contact}`;
const longName =
  'Associação das Mulheres Produtoras e Transformadoras de Produtos Agrícolas do Paul, Santo Antão';

export async function openShops(context: Parameters<typeof openShop>[0]): Promise<Shops> {
  const plain = await openShop(context);
  return {
    plain,
    orange: await anotherShop(plain, 'Loja da Praia', orange),
    long: await anotherShop(plain, longName, contact),
    suspended: await suspendedShop(plain),
  };
}

async function anotherShop(shop: Shop, name: string, change: string): Promise<Shop> {
  const { database, url } = shop.gateway;
  const base = { database, clock: systemClock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(base, name);
  const { key } = await issueKey(base, { merchantId, mode: 'test' });
  const gateway = { ...shop.gateway, key, zimbo: zimboOf(url, key), api: apiOf(url, key) };
  const text = `UPDATE merchants SET ${change} WHERE id = $1`;
  await database.query({ text }, [merchantId]);
  return { ...shop, gateway };
}

/** The session of an older link. */
async function suspendedShop(shop: Shop): Promise<Shops['suspended']> {
  const name = 'Loja fechada';
  const own = await anotherShop(shop, name, contact);
  const session = await openSession(own.gateway, cart);
  const text = 'UPDATE merchants SET suspended_at = now() WHERE name = $1';
  await shop.gateway.database.query({ text }, [name]);
  return { ...own, session };
}

/** Opens a page in a language and brings it into a state. The caller closes its context. */
export async function showState(
  shops: Shops,
  state: State,
  language: Language,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const shop: Shop | Shops['suspended'] = shops[state.shop ?? 'plain'];
  const locale = language === 'pt' ? 'pt-PT' : 'en-GB';
  const page = await newPage(await openContext(shop.browser, { locale, ...options }));
  const session =
    'session' in shop ? shop.session : await openSession(shop.gateway, state.asks ?? cart);
  await page.goto(addressOf(shop.gateway, session));
  const words = locales[language];
  await state.prepare?.({ shop, session, page, words });
  await says(page, state.says(words));
  return page;
}
