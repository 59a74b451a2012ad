/** checkout.js on pages that do what they should not: call it twice, or with nothing, or lose its dialog. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  type DropInWorld,
  frameIn,
  hears,
  openDropInShop,
  payIn,
  toldTo,
} from './drop-in-world.ts';
import { desktop, newPage, openCart, openContext, openShop } from './pages.ts';

const undo: (() => unknown)[] = [];
const context = { after: (step: unknown) => undo.unshift(step as () => unknown) };
let world: DropInWorld;

describe('the drop-in checkout, misused', () => {
  before(async () => {
    const shop = await openShop(context, { environment: { SIMULATOR_DELAY_MS: '200' } });
    world = await openDropInShop(context, shop);
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('a second call for the same session leaves its dialog open', async () => {
    const page = await enter();
    await page.evaluate(`for (const each of [1, 2]) document.getElementById('buy').click()`);
    const frame = await frameIn(page);
    assert.equal(await page.locator('dialog').count(), 1);
    await payIn(frame);
    await hears(page, 'our server: COMPLETED');
    assert.doesNotMatch(await toldTo(page), /closed/);
    await page.context().close();
  });

  test('another session takes the place of the first, which has closed', async () => {
    const page = await enter();
    await page.getByRole('button', { name: 'Comprar' }).click();
    await frameIn(page);
    const other = `${world.shop.gateway.url}${new URL((await openCart(world.shop)).url).pathname}`;
    await page.evaluate(`Zimbo.open('${other}')`);
    await hears(page, 'closed: OPEN');
    const frame = await frameIn(page);
    assert.equal(new URL(frame.url()).pathname, new URL(other).pathname);
    assert.equal(await page.locator('dialog').count(), 1);
    await page.context().close();
  });

  test('a page that removes the dialog is not led away, and can open another', async () => {
    const page = await enter();
    await page.clock.install();
    const address = page.url();
    await page.route('**/pay/**', () => {}, { times: 1 });
    await page.evaluate(`document.getElementById('buy').click()`);
    await page.locator('dialog').waitFor();
    await page.evaluate('document.body.lastElementChild.remove()');
    assert.equal(await page.locator('dialog').count(), 0);
    await page.clock.runFor(30_000);
    assert.equal(page.url(), address);
    await page.getByRole('button', { name: 'Comprar' }).click();
    await frameIn(page);
    await page.context().close();
  });

  test('refuses an address that is none, instead of leading the customer to nothing', async () => {
    const page = await enter();
    const address = page.url();
    for (const wrong of ['', 'undefined', 'null', '{}', "''", "'cs_1'", "'/pay/x'"])
      await assert.rejects(page.evaluate(`Zimbo.open(${wrong})`), /TypeError/, wrong);
    assert.equal(await page.locator('dialog').count(), 0);
    assert.equal(page.url(), address);
    await page.context().close();
  });
});

/** A shop's page with a session for sale. */
async function enter(): Promise<Page> {
  const page = await newPage(await openContext(world.shop.browser, { viewport: desktop }));
  await page.goto(world.sell(await openCart(world.shop)));
  return page;
}
