/** How a customer may look at a page: on which screen, in the light or dark, in which language. */
import type { Page } from 'playwright-core';
import { type Language, languages, locales } from '../../src/storefront/checkout/page/locale.ts';
import { offences } from './axe.ts';
import { layoutFaults, schemes } from './walk.ts';

const widths = [390, 1280] as const;

export interface CustomerLook {
  width: (typeof widths)[number];
  scheme: (typeof schemes)[number];
  language: Language;
}

export const customerLooks: CustomerLook[] = languages.flatMap((language) =>
  widths.flatMap((width) => schemes.map((scheme) => ({ width, scheme, language }))),
);

export const nameOfLook = ({ width, scheme, language }: CustomerLook) =>
  `${width}-${scheme}-${language}`;

/** Shows what is open in this look; its language was chosen when it was opened. */
export async function put(page: Page, { width, scheme }: CustomerLook): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
}

/** What is wrong with what is open, in words. */
export async function faultsOfLook(page: Page, look: CustomerLook): Promise<string[]> {
  const faults = [...(await offences(page)), ...(await layoutFaults(page))];
  // 320 px is also what 200 % of zoom leaves of 640 px.
  await page.setViewportSize({ width: 320, height: 640 });
  faults.push(...(await layoutFaults(page)).map((fault) => `320 px: ${fault}`));
  await put(page, look);
  const { tag } = locales[look.language];
  const shown = await page.locator('html').getAttribute('lang');
  if (shown !== tag) faults.push(`in ${shown}`);
  const said = await page.locator('main').innerText();
  if (look.language === 'en' && /telemóvel|transação|pagamento|PIN no/i.test(said))
    faults.push(`not all is English: ${said}`);
  return faults;
}
