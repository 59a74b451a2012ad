/** Every state, on phone and desktop, light and dark: nothing for axe to find, and a picture to look at. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fitsWidth, offences } from './axe.ts';
import { addressOf, desktop, newPage, openContext, openShop, phone, type Shop } from './pages.ts';
import { sessionFor, showState, states } from './states.ts';

const pictures = join(import.meta.dirname, 'screenshots');
mkdirSync(pictures, { recursive: true });
const looks = [
  { look: 'phone', viewport: phone },
  { look: 'desktop', viewport: desktop },
];

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
      for (const { look, viewport } of looks) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          assert.deepEqual(await offences(page), [], `${look}, ${colorScheme}`);
          const path = join(pictures, `${state.name}-${look}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage: true });
        }
      }
      // 320 px is also what 200 % of zoom leaves of 640 px.
      await page.setViewportSize({ width: 320, height: 640 });
      assert.ok(await fitsWidth(page));
      await context.close();
    });
  }
});
