/** A customer's look: the screen, light or dark, the language. */
import type { Page } from 'playwright-core';
import { type Language, languages } from '../../src/platform/text/language.ts';
import { locales } from '../../src/storefront/checkout/page/locale.ts';
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

/** Shows the open page in this look; its language was chosen on opening. */
export async function put(page: Page, { width, scheme }: CustomerLook): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
}

/** The problems of the open page, in words. */
export async function faultsOfLook(page: Page, look: CustomerLook): Promise<string[]> {
  const faults = [...(await offences(page)), ...(await layoutFaults(page))];
  // 320 px is also the width of 640 px at 200 % zoom.
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
