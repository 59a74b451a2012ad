import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { CheckoutSession } from '../../../sdk/typescript/src/index.ts';
import { openSession } from '../support/checkout.ts';
import { type TestGateway, type TestGatewayOptions, testGateway } from '../support/gateway.ts';
import { launchBrowser } from './browser.ts';

const patienceMs = 30_000;
export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 900 };

/** A gateway and a browser for a whole file. */
export interface Shop {
  gateway: TestGateway;
  browser: Browser;
  /** The page of a session, in its own context. */
  open(session: CheckoutSession, options?: BrowserContextOptions): Promise<Page>;
}

export async function openShop(
  context: Parameters<typeof testGateway>[0],
  options: TestGatewayOptions = {},
): Promise<Shop> {
  const gateway = await testGateway(context, options);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  return {
    gateway,
    browser,
    open: async (session, contextOptions) => {
      const page = await newPage(await openContext(browser, contextOptions));
      await page.goto(addressOf(gateway, session));
      return page;
    },
  };
}

/** Portuguese, like most customers' browsers. */
export function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({ locale: 'pt-PT', viewport: phone, ...options });
}

export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}

/** Tests listen on a free port, which the public URL does not contain. */
export function addressOf({ url }: TestGateway, session: Pick<CheckoutSession, 'url'>): string {
  return `${url}${new URL(session.url).pathname}`;
}

export async function fill(page: Page, suffix: string, operator = 'MOCK'): Promise<void> {
  await page.locator('#phone').fill(`9912${suffix}`);
  await page.locator(`input[value=${operator}]`).check();
}

/** Fills in the form and presses the button. */
export async function pay(page: Page, suffix: string): Promise<void> {
  await fill(page, suffix);
  await page.locator('form button').click();
}

/** Waits until the page shows this text. */
export function says(page: Page, text: string | RegExp): Promise<void> {
  return page.locator('main').getByText(text).first().waitFor();
}

export const cart = {
  items: [
    { name: 'Cachupa rica', quantity: 2, unitPrice: 45_000 },
    { name: 'Pastel com diabo dentro', quantity: 6, unitPrice: 6_000 },
    { name: 'Sumo de tamarindo', quantity: 1, unitPrice: 15_000 },
  ],
  returnUrl: 'https://shop.cv/cart',
};

export const openCart = ({ gateway }: Shop, change: object = {}) =>
  openSession(gateway, { ...cart, ...change });

/** The session expires at this instant, which only the page notices. */
export async function endAt(
  { gateway }: Shop,
  session: CheckoutSession,
  instant: Date,
): Promise<void> {
  const text = `UPDATE checkout_sessions SET expires_at = $1, due_at = NULL WHERE link_secret = $2`;
  const secret = Buffer.from(new URL(session.url).pathname.split('/').at(-1)!, 'base64url');
  await gateway.database.query({ text }, [instant.toISOString(), secret.subarray(32)]);
}
