/** Every state, on phone and desktop, light and dark: nothing for axe to find, and a picture to look at. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fitsWidth } from './axe.ts';
import { lookAt } from './look.ts';
import { addressOf, desktop, newPage, openContext, openShop, phone, type Shop } from './pages.ts';
import { sessionFor, showState, states } from './states.ts';

function inEnglish(address: string): string {
  const url = new URL(address);
  url.searchParams.set('lang', 'en');
  return url.href;
}

describe('the looks of the payment page', { concurrency: 4 }, () => {
  const undo: (() => unknown)[] = [];
  let shop: Shop;

  before(async () => {
    shop = await openShop({ after: (step) => undo.unshift(step as () => unknown) });
  });
  after(async () => {
    for (const step of undo) await step();
  });

  for (const state of states) {
    test(`${state.name}: axe finds nothing, and nothing is wider than the screen`, async () => {
      const context = await openContext(shop.browser);
      const page = await newPage(context);
      const session = await sessionFor(shop);
      await page.goto(addressOf(shop.gateway, session));
      await showState(shop, state, page, session);
      await lookAt(page, state.name, [phone.width, desktop.width]);
      // 320 px is also what 200 % of zoom leaves of 640 px.
      await page.setViewportSize({ width: 320, height: 640 });
      assert.ok(await fitsWidth(page));
      await page.setViewportSize(phone);
      await page.goto(inEnglish(page.url()));
      await page.locator('html[lang=en]').waitFor();
      await lookAt(page, `${state.name}-en`, [phone.width]);
      assert.ok(!(await page.locator('main').innerText()).match(/ção|telemóvel/), 'all is English');
      await context.close();
    });
  }
});

test('a shop with an orange brand and a contact', async (context) => {
  const own = await openShop(context);
  const text = `UPDATE merchants SET brand_name = 'Loja da Praia', brand_colour = '#e8590c',
    contact_phone = '+2389912345', contact_email = 'loja@praia.cv', contact_website = 'https://praia.cv/'`;
  await own.gateway.database.query({ text });
  for (const state of states.filter(({ name }) => ['form', 'paid', 'expired'].includes(name))) {
    const page = await newPage(await openContext(own.browser));
    const session = await sessionFor(own);
    await page.goto(addressOf(own.gateway, session));
    await showState(own, state, page, session);
    await lookAt(page, `orange-${state.name}`, [phone.width]);
    await page.context().close();
  }
});
