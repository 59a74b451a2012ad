/** Walks through the console in a real browser, and returns the problems of a page in words. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Language } from '../../src/interfaces/console/words/common.ts';
import { fitsWidth, offences } from './axe.ts';
import type { Address } from './console-addresses.ts';
import type { World } from './console-world.ts';
import { keyboardFaults } from './keyboard.ts';
import { newPage, openContext } from './pages.ts';

export const widths = [360, 768, 1440] as const;
export const schemes = ['light', 'dark'] as const;
export const languages = ['pt', 'en'] as const;

export interface Look {
  width: (typeof widths)[number];
  scheme: (typeof schemes)[number];
  language: Language;
}

/** Every look of a page. */
export const looks: Look[] = languages.flatMap((language) =>
  widths.flatMap((width) => schemes.map((scheme) => ({ width, scheme, language }))),
);

export const nameOf = ({ width, scheme, language }: Look) => `${width}-${scheme}-${language}`;

/** Pages of one browser, one for each person and language, with a log of invisible events. */
export class Walker {
  readonly #browser: Browser;
  readonly #world: World;
  readonly #pages = new Map<string, Promise<Page>>();
  /** Scripts that ran, blocked actions and requests to strangers since the last page. */
  readonly #noted: string[] = [];

  constructor(browser: Browser, world: World) {
    this.#browser = browser;
    this.#world = world;
  }

  /** Opens an address as its person, in this look. */
  async open(address: Address, { width, scheme, language }: Look): Promise<Page> {
    const page = await this.#pageOf(address.who, language);
    this.#noted.length = 0;
    await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
    await page.emulateMedia({ media: null, colorScheme: scheme, reducedMotion: 'reduce' });
    const answer = await page.goto(this.urlOf(address));
    const { status = 200 } = address;
    if (answer?.status() !== status) this.#noted.push(`answered ${answer?.status()}`);
    return page;
  }

  urlOf({ path }: Address): string {
    const { site } = this.#world;
    return `${path.startsWith('/receipt/') ? site.gateway.url : site.origin}${path}`;
  }

  cookieOf({ who }: Pick<Address, 'who'>): string | undefined {
    return who === 'nobody' ? undefined : this.#world[who].cookie;
  }

  /** The problems since the address was opened. */
  noted = (): readonly string[] => this.#noted;

  async close(): Promise<void> {
    for (const page of this.#pages.values()) await (await page).context().close();
  }

  #pageOf(who: Address['who'], language: Language): Promise<Page> {
    const name = `${who} ${language}`;
    const found = this.#pages.get(name) ?? this.#newPage(who, language);
    this.#pages.set(name, found);
    return found;
  }

  async #newPage(who: Address['who'], language: Language): Promise<Page> {
    const locale = language === 'pt' ? 'pt-PT' : 'en-GB';
    const context = await openContext(this.#browser, { locale });
    const cookie = this.cookieOf({ who });
    if (cookie) await signIn(context, cookie, this.#world.site.origin);
    // A page that reloads itself would remove the page under test.
    await context.addInitScript('window.setInterval = () => 0;');
    const page = await newPage(context);
    this.#listen(page);
    return page;
  }

  #listen(page: Page): void {
    const own = [this.#world.site.origin, this.#world.site.gateway.url];
    page.on('console', (message) => {
      // The browser reports this for every page with such a status.
      const isStatus =
        message.location().url === page.url() && /status of 4\d\d/.test(message.text());
      if (message.type() === 'error' && !isStatus) this.#noted.push(message.text());
    });
    page.on('pageerror', ({ message }) => this.#noted.push(`a script failed: ${message}`));
    page.on('dialog', (dialog) => {
      this.#noted.push(`a dialog opened: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const isOurs = (url: string) => url.startsWith('data:') || own.includes(new URL(url).origin);
    const noteStranger = (url: string) => {
      if (!isOurs(url)) this.#noted.push(`asked a stranger: ${url.slice(0, 200)}`);
    };
    page.on('response', (response) => noteStranger(response.url()));
    page.on('requestfailed', (request) => {
      // Requests that the page's policy forbids never leave the browser.
      if (request.failure()?.errorText !== 'csp') noteStranger(request.url());
    });
  }
}

export async function signIn(context: BrowserContext, cookie: string, url: string): Promise<void> {
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url }]);
}

/** The problems of the open page: for eyes, for fingers, and for screen readers. */
export async function faultsOf(walker: Walker, page: Page): Promise<string[]> {
  const faults = await layoutFaults(page);
  faults.push(...(await keyboardFaults(page)));
  // Folded parts must be as good as the rest.
  await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true;`);
  faults.push(...(await layoutFaults(page)), ...(await offences(page)));
  return [...faults, ...walker.noted()];
}

/** The open page, as printed: at 96 dpi, A4 within its margins. */
export async function paperFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 680, height: 960 });
  return layoutFaults(page);
}

/** Names overflowing elements: a page that is too wide is otherwise hard to fix. */
export async function layoutFaults(page: Page): Promise<string[]> {
  if (await fitsWidth(page)) return cutCards(page);
  const culprits = await page.evaluate<string[]>(`
    [...document.body.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .slice(0, 3)
      .map((one) => one.cloneNode(false).outerHTML.slice(0, 120))`);
  return [`wider than the screen: ${culprits.join(', ')}`];
}

/** On a phone each row of a table is a card, and none may hide the end of an amount. */
async function cutCards(page: Page): Promise<string[]> {
  const cut = await page.evaluate<string[]>(`
    matchMedia('screen and (max-width: 47.99rem)').matches
      ? [...document.querySelectorAll('.table')]
          .filter((table) => table.scrollWidth > table.clientWidth)
          .map((table) => table.getAttribute('aria-label'))
      : []`);
  return cut.map((name) => `cut off in its card: ${name}`);
}
