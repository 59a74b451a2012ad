/** checkout.js where another page than a session's is opened, or in an old browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { portuguese } from '../../src/storefront/checkout/page/locale.pt.ts';
import {
  type DropInWorld,
  frameIn,
  openDropInShop,
  page as pageWith,
  payIn,
} from './drop-in-world.ts';
import { addressOf, desktop, newPage, openCart, openContext, openShop } from './pages.ts';

const undo: (() => unknown)[] = [];
const context = { after: (step: unknown) => undo.unshift(step as () => unknown) };
let world: DropInWorld;

describe('the drop-in checkout of links and in old browsers', () => {
  before(async () => {
    const shop = await openShop(context, { environment: { SIMULATOR_DELAY_MS: '200' } });
    world = await openDropInShop(context, shop);
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('a reusable link in the dialog leads to its completionUrl once it is paid', async () => {
    const completionUrl = `${world.site.origin}/thanks`;
    world.site.files['/thanks'] = pageWith('thanks');
    const { paymentLinks } = world.shop.gateway.zimbo;
    const link = await paymentLinks.create({ description: 'Quota', amount: 1_000, completionUrl });
    const page = await visit();
    await page.goto(world.sell(link));
    await page.getByRole('button', { name: 'Comprar' }).click();
    const frame = await frameIn(page);
    await frame.getByRole('button', { name: 'Continuar' }).click();
    await payIn(frame);
    await page.waitForURL(new RegExp(`^${completionUrl}\\?session_id=cs_`));
    await page.context().close();
  });

  test('a paid page in a frame that the shop made itself has a link that leads the window on', async () => {
    const completionUrl = `${world.site.origin}/thanks`;
    world.site.files['/thanks'] = pageWith('thanks');
    const session = await openCart(world.shop, { completionUrl });
    const address = addressOf(world.shop.gateway, session);
    world.site.files['/own'] = pageWith(`<iframe src="${address}"></iframe>`);
    const page = await visit();
    await page.goto(`${world.site.origin}/own`);
    await payIn(page.frames()[1]!);
    const onward = page.frameLocator('iframe').getByRole('link', { name: portuguese.onward });
    await onward.click();
    await page.waitForURL(`${completionUrl}?session_id=${session.id}`);
    await page.context().close();
  });

  test('an older browser gets the full page, and the link inside a <zimbo-button>', async () => {
    const session = await openCart(world.shop);
    const page = await visit();
    await page.addInitScript('delete Document.prototype.adoptedStyleSheets');
    await page.goto(world.sell(session));
    assert.equal(await page.evaluate(`customElements.get('zimbo-button') === undefined`), true);
    await page.getByRole('button', { name: 'Comprar' }).click();
    await page.waitForURL(addressOf(world.shop.gateway, session));
    await page.context().close();
  });
});

const visit = async () => newPage(await openContext(world.shop.browser, { viewport: desktop }));
