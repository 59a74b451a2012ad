/** checkout.js in a browser: the payment page over a shop's page of another site, and those who would misuse it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { CheckoutSession } from '../../../sdk/typescript/src/index.ts';
import { english } from '../../src/storefront/checkout/page/locale.en.ts';
import { portuguese } from '../../src/storefront/checkout/page/locale.pt.ts';
import { eventually } from '../support/gateway.ts';
import { offences } from './axe.ts';
import {
  type DropInWorld,
  frameIn,
  hears,
  openDropInShop,
  openSite,
  page as pageWith,
  payIn,
  toldTo,
} from './drop-in-world.ts';
import { addressOf, desktop, newPage, openCart, openContext, openShop, phone } from './pages.ts';

const undo: (() => unknown)[] = [];
const context = { after: (step: unknown) => undo.unshift(step as () => unknown) };
let world: DropInWorld;

describe('the drop-in checkout in a browser', { concurrency: 3 }, () => {
  before(async () => {
    const shop = await openShop(context, { environment: { SIMULATOR_DELAY_MS: '200' } });
    world = await openDropInShop(context, shop);
  });
  after(async () => {
    for (const step of undo) await step();
  });

  paying();
  inTheDialog();
  keyboard();
  fullPages();
  strangers();
  forgers();
  looks();
});

const visit = async (options: BrowserContextOptions = {}) =>
  newPage(await openContext(world.shop.browser, { viewport: desktop, ...options }));

/** A shop's page with a session for sale. */
async function enter(change: object = {}, options: BrowserContextOptions = {}) {
  const session = await openCart(world.shop, change);
  const page = await visit(options);
  await page.goto(world.sell(session));
  return { page, session };
}

const buy = (page: Page) => page.getByRole('button', { name: 'Comprar' }).click();
const dialogs = (page: Page) => page.locator('dialog').count();
const focused = (page: Page) => page.evaluate('document.activeElement.id');

/** Whether the customer sees all of it without scrolling. */
const isInSight = (frame: Frame, selector: string) =>
  frame.evaluate<boolean>(`(() => {
    const element = document.querySelector('${selector}');
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const at = (y) => document.elementFromPoint((left + right) / 2, y);
    return top >= 0 && bottom <= innerHeight && element.contains(at(top + 2)) && element.contains(at(bottom - 2));
  })()`);

const shows = (frame: Frame, text: string) =>
  frame.locator('main').getByText(text).first().waitFor();

function paying(): void {
  test('a customer pays over the shop’s page, and the shop asks its own server', async () => {
    const { page, session } = await enter();
    const address = page.url();
    await buy(page);
    const frame = await frameIn(page);
    const payee = frame.locator('.payee p');
    assert.match(await payee.innerText(), /^Loja de teste\s+1\.410\$00 CVE$/);
    assert.ok(await isInSight(frame, '.payee p'));
    assert.ok(await isInSight(frame, '#pay button'));
    await payIn(frame, '049');
    await shows(frame, portuguese.failures.INSUFFICIENT_FUNDS);
    assert.equal(await toldTo(page), '', 'a failed attempt completes nothing');
    await payIn(frame);
    await shows(frame, portuguese.paid.advice);
    await hears(page, 'complete: COMPLETED');
    await hears(page, 'our server: COMPLETED');
    await page.getByRole('button', { name: 'Fechar' }).click();
    await hears(page, 'closed: COMPLETED');
    assert.equal(await dialogs(page), 0);
    assert.equal(page.url(), address);
    await buy(page);
    await frameIn(page);
    const heard = async () => (await toldTo(page)).match(/complete:/g)?.length === 2;
    await eventually('a paid session says so again', heard);
    assert.equal(
      (await world.shop.gateway.zimbo.checkout.sessions.get(session.id)).status,
      'COMPLETED',
    );
    await page.context().close();
  });

  test('a paid session leads the whole window to its completionUrl', async () => {
    const completionUrl = `${world.site.origin}/thanks`;
    world.site.files['/thanks'] = pageWith('thanks');
    const { page, session } = await enter({ completionUrl });
    await page.getByRole('button', { name: 'Pagar já' }).click();
    await payIn(await frameIn(page));
    await page.waitForURL(`${completionUrl}?session_id=${session.id}`);
    assert.equal(page.frames().length, 1);
    await page.context().close();
  });
}

function inTheDialog(): void {
  test('“back to the shop” closes the dialog, and the session stays open', async () => {
    const { page } = await enter();
    await buy(page);
    const frame = await frameIn(page);
    await frame.getByRole('link', { name: portuguese.backToShop }).click();
    await hears(page, 'closed: OPEN');
    assert.equal(await dialogs(page), 0);
    await page.context().close();
  });

  test('the language of the page can be changed in the dialog', async () => {
    const { page } = await enter();
    await buy(page);
    const frame = await frameIn(page);
    await frame.getByRole('link', { name: 'English' }).click();
    await shows(frame, english.backToShop);
    await payIn(frame);
    await hears(page, 'our server: COMPLETED');
    await page.context().close();
  });

  test('<zimbo-button> needs no script of the shop, and tells those who listen', async () => {
    const { page } = await enter();
    await page.evaluate(`for (const name of ['complete', 'close']) {
      document.querySelector('zimbo-button').addEventListener(name, ({ type, detail }) => {
        document.getElementById('told').textContent += type + ' ' + detail.status + '\\n';
      });
    }`);
    await page.getByRole('button', { name: 'Pagar já' }).click();
    await payIn(await frameIn(page));
    await hears(page, 'complete COMPLETED');
    await page.getByRole('button', { name: 'Fechar' }).click();
    await hears(page, 'close COMPLETED');
    await page.context().close();
  });
}

function keyboard(): void {
  test('the keyboard reaches the page, Escape closes it, and the focus returns', async () => {
    const { page } = await enter();
    await page.locator('#buy').focus();
    for (const where of ['the page', 'the dialog']) {
      await page.keyboard.press('Enter');
      const frame = await frameIn(page);
      await eventually('the payment page has the focus', () =>
        frame.evaluate('document.hasFocus()'),
      );
      await page.keyboard.press('Tab');
      await eventually('Tab moves on in it', () =>
        frame.evaluate('document.activeElement !== document.body'),
      );
      if (where === 'the dialog') await page.getByRole('button', { name: 'Fechar' }).focus();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'buy', where);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await frameIn(page);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    const element = 'document.activeElement.localName';
    assert.equal(await page.evaluate(element), 'zimbo-button');
    await page.context().close();
  });

  test('nothing behind the dialog can be reached', async () => {
    const { page } = await enter();
    await buy(page);
    await frameIn(page);
    await page.evaluate(`document.getElementById('buy').focus()`);
    assert.notEqual(await focused(page), 'buy');
    const dialog = page.getByRole('dialog', { name: 'Pagamento' });
    assert.equal(await dialog.count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Comprar' }).count(), 1);
    const isBehind = await page.evaluate(`{
      const { x, y } = document.getElementById('buy').getBoundingClientRect();
      document.elementFromPoint(x + 2, y + 2) !== document.getElementById('buy');
    }`);
    assert.equal(isBehind, true);
    await page.context().close();
  });
}

/** The payment page as a page of its own. */
async function isFullPage(page: Page, session: CheckoutSession): Promise<void> {
  await page.waitForURL(addressOf(world.shop.gateway, session));
  await page.locator('#pay').waitFor();
  assert.equal(page.frames().length, 1);
  assert.equal(await page.locator('.payee').count(), 0);
}

function fullPages(): void {
  test('on a phone, the payment page is a page of its own', async () => {
    const { page, session } = await enter({}, { viewport: phone });
    await buy(page);
    await isFullPage(page, session);
    await page.goBack();
    await page.setViewportSize({ width: phone.height, height: phone.width });
    await page.getByRole('button', { name: 'Pagar já' }).click();
    await isFullPage(page, session);
    await page.context().close();
  });

  test('a shop whose own policy forbids frames gets the full page', async () => {
    const { page, session } = await enter();
    const file = world.site.files[new URL(page.url()).pathname]!;
    file.policy = file.policy!.replace(/frame-src \S+;/, '');
    await page.reload();
    await buy(page);
    await isFullPage(page, session);
    await page.context().close();
  });

  test('a session of a gateway that is not there leads to its address', async () => {
    const { page } = await enter();
    const gone = 'http://127.0.0.1:9/pay/x';
    const [request] = await Promise.all([
      page.waitForRequest(gone),
      page.evaluate(`Zimbo.open('${gone}')`),
    ]);
    assert.ok(request.isNavigationRequest());
    await page.context().close();
  });

  test('opens addresses of the web only', async () => {
    const { page } = await enter();
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'blob:x']) {
      await assert.rejects(page.evaluate(`Zimbo.open(${JSON.stringify(address)})`), /TypeError/);
    }
    assert.equal(await dialogs(page), 0);
    await page.context().close();
  });
}

/** Whether any frame on the page could be paid in. */
const canPayInFrame = async (page: Page) => {
  const inner = page.frames().filter((frame) => frame !== page.mainFrame());
  const forms = inner.map((frame) => frame.locator('#pay').count());
  return (await Promise.all(forms)).some((count) => count > 0);
};

function strangers(): void {
  test('a site that the merchant has not allowed gets the full page, never a frame', async () => {
    const session = await openCart(world.shop);
    const { site, shop } = world;
    const stranger = await openSite(context, 'stranger');
    const { pathname } = new URL(world.sell(session));
    Object.assign(stranger.files, {
      '/': site.files[pathname]!,
      '/shop.js': site.files['/shop.js']!,
    });
    const page = await visit();
    await page.goto(stranger.origin);
    await buy(page);
    await isFullPage(page, session);
    stranger.files['/own'] = pageWith(
      `<iframe src="${addressOf(shop.gateway, session)}"></iframe>`,
    );
    await page.goto(`${stranger.origin}/own`, { waitUntil: 'load' });
    assert.equal(await canPayInFrame(page), false);
    await page.context().close();
  });

  test('a hostile site that frames the shop gets no page to pay on', async () => {
    const session = await openCart(world.shop);
    const shopPage = world.sell(session);
    const hostile = await openSite(context, 'hostile');
    hostile.files['/'] = pageWith(`<iframe src="${shopPage}" width="1200" height="850"></iframe>`);
    const page = await visit();
    await page.goto(hostile.origin);
    const inner = page.frameLocator('iframe');
    const seen: boolean[] = [];
    page.on('framenavigated', () =>
      canPayInFrame(page).then(
        (can) => seen.push(can),
        () => {},
      ),
    );
    await inner.getByRole('button', { name: 'Comprar' }).click();
    await isFullPage(page, session);
    assert.ok(!seen.includes(true));
    await page.context().close();
  });

  test('a frame that the shop makes itself says who gets how much', async () => {
    const session = await openCart(world.shop);
    const address = addressOf(world.shop.gateway, session);
    world.site.files['/own'] = pageWith(`<iframe src="${address}" sandbox="allow-forms"></iframe>`);
    const page = await visit();
    await page.goto(`${world.site.origin}/own`);
    const payee = page.frameLocator('iframe').locator('.payee p');
    assert.match(await payee.innerText(), /^Loja de teste\s+1\.410\$00 CVE$/);
    await page.context().close();
  });
}

/** Opens a window from the shop's page, on another site. */
async function openWindow(page: Page, address: string): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.evaluate(`window.other = open('about:blank')`);
  const other = await opened;
  await other.goto(address);
  return other;
}

/** Says everything that the payment page can say. */
const forge = (window: string) => `for (const zimbo of ['state', 'close', 'onward']) {
  ${window}.postMessage({ zimbo, session: 'cs_forged', status: 'COMPLETED' }, '*');
}`;

function forgers(): void {
  test('the shop’s page believes only the frame: no other window, not even one of the gateway', async () => {
    const { page } = await enter();
    const hostile = await openSite(context, 'forger');
    hostile.files['/'] = pageWith('');
    await buy(page);
    const frame = await frameIn(page);
    await page.evaluate(forge('window'));
    for (const address of [hostile.origin, `${world.shop.gateway.url}/healthz`]) {
      const other = await openWindow(page, address);
      await other.evaluate(forge('opener'));
      await other.close();
    }
    await shows(frame, portuguese.backToShop);
    assert.equal(await toldTo(page), '');
    assert.equal(await dialogs(page), 1);
    await payIn(frame);
    await hears(page, 'our server: COMPLETED');
    assert.equal((await toldTo(page)).match(/complete:/g)?.length, 1);
    await page.context().close();
  });

  test('the frame answers only the page around it', async () => {
    const address = `${addressOf(world.shop.gateway, await openCart(world.shop))}?frame=1`;
    world.site.files['/around'] = pageWith(`<iframe src="${address}"></iframe>`);
    const page = await visit();
    await page.goto(`${world.site.origin}/around`);
    const hostile = await openSite(context, 'listener');
    hostile.files['/'] = pageWith('');
    const other = await openWindow(page, hostile.origin);
    const greet = (frame: string) => `window.heard ??= [];
      addEventListener('message', ({ data }) => heard.push(data.status));
      ${frame}.postMessage({ zimbo: 'hello' }, '*');`;
    await page.evaluate(greet('frames[0]'));
    await page.waitForFunction(`heard.includes('OPEN')`);
    await other.evaluate(greet('opener[0]'));
    await payIn(page.frames()[1]!);
    await page.waitForFunction(`heard.includes('COMPLETED')`);
    assert.deepEqual(await other.evaluate('heard'), []);
    await page.context().close();
  });
}

function looks(): void {
  for (const locale of ['pt-PT', 'en-GB']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`axe finds nothing, ${locale}, ${colorScheme}`, async () => {
        const { page } = await enter({}, { locale, colorScheme, reducedMotion: 'reduce' });
        assert.deepEqual(await offences(page), []);
        await buy(page);
        const frame = await frameIn(page);
        const words = locale === 'en-GB' ? english : portuguese;
        await shows(frame, words.backToShop);
        const name = locale === 'en-GB' ? 'Close' : 'Fechar';
        assert.equal(await page.getByRole('button', { name }).count(), 1);
        assert.deepEqual(await offences(page), []);
        assert.deepEqual(await offences(frame), []);
        await payIn(frame);
        await shows(frame, words.paid.advice);
        assert.deepEqual(await offences(frame), []);
        await page.context().close();
      });
    }
  }
}
