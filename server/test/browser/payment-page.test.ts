import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { suffixesOf } from '../../src/integrations/operators/simulator/behaviour.ts';
import { english } from '../../src/storefront/checkout/page/locale.en.ts';
import { portuguese } from '../../src/storefront/checkout/page/locale.pt.ts';
import { confirmPhone, countOf, openSession, reachPayment, reload } from '../support/checkout.ts';
import { anotherGateway, eventually } from '../support/gateway.ts';
import {
  addressOf,
  endAt,
  fill,
  newPage,
  openCart,
  openContext,
  openShop,
  pay,
  type Shop,
  says,
} from './pages.ts';

const confirmSuffix = confirmPhone.slice(-3);
const wireBytes = 30_000;

const undo: (() => unknown)[] = [];
const context = { after: (step: unknown) => undo.unshift(step as () => unknown) };
let shop: Shop;

describe('the payment page in a browser', { concurrency: 4 }, () => {
  before(async () => {
    shop = await openShop(context, { environment: { SIMULATOR_DELAY_MS: '400' } });
  });
  after(async () => {
    for (const step of undo) await step();
  });

  paying();
  puttingRight();
  severalTabs();
  poorBrowsers();
  reading();
});

function paying(): void {
  test('takes a customer from confirmation to success and back to the shop', async () => {
    const completionUrl = `${shop.gateway.url}/healthz`;
    const session = await openCart(shop, { completionUrl });
    const page = await shop.open(session);
    await says(page, 'Pastel com diabo dentro');
    await pay(page, confirmSuffix);
    await says(page, portuguese.confirm('MOCK').title);
    assert.match(await page.getByRole('timer').innerText(), /^[45]:\d\d$/);
    const { id } = await reachPayment(shop.gateway, session, 'USER_CONFIRMING');
    const loads = countLoads(page);
    await shop.gateway.api('POST', `/v1/payments/${id}/confirm`);
    await says(page, portuguese.paid.advice);
    assert.equal(loads(), 0, 'the page was not loaded anew');
    assert.equal(await page.locator('#said').innerText(), portuguese.paid.title);
    await page.waitForURL(`${completionUrl}?session_id=${session.id}`);
    await page.context().close();
  });

  for (const { suffix, failureCode } of suffixesOf('FAIL')) {
    test(`${suffix}: the reason in plain words, and another try that succeeds`, async () => {
      const page = await shop.open(await openCart(shop));
      await pay(page, suffix);
      await says(page, portuguese.failures[failureCode!]);
      await says(page, portuguese.payAgain);
      await pay(page, '345');
      await says(page, portuguese.paid.advice);
      await page.context().close();
    });
  }

  test('offers another try when nobody confirms in time', async () => {
    const { gateway } = shop;
    const environment = { PAYMENT_EXPIRY_SECONDS: '1', SIMULATOR_DELAY_MS: '40' };
    const { url } = await anotherGateway(context, gateway.databaseUrl, { environment });
    const session = await openCart(shop);
    const page = await newPage(await openContext(shop.browser));
    await page.goto(addressOf({ ...gateway, url }, session));
    await pay(page, '109');
    await says(page, portuguese.failures.CONFIRMATION_TIMEOUT);
    assert.equal(await page.locator('form').count(), 1);
    await page.context().close();
  });

  test('reports a link that expires while open, regardless of input', async () => {
    const session = await openCart(shop, { expiresInMinutes: 5 });
    const page = await newPage(await openContext(shop.browser));
    await page.clock.install();
    await page.goto(addressOf(shop.gateway, session));
    await fill(page, '345');
    await endAt(shop, session, new Date());
    await page.clock.fastForward('05:01');
    await says(page, portuguese.expired.title);
    assert.equal(await page.locator('form').count(), 0);
    const byShop = await openCart(shop);
    const other = await shop.open(byShop);
    await shop.gateway.api('POST', `/v1/checkout/sessions/${byShop.id}/expire`);
    await says(other, portuguese.expired.title);
    await Promise.all([page.context().close(), other.context().close()]);
  });
}

function puttingRight(): void {
  test('changes a wrong number on the waiting page, and the other phone pays', async () => {
    const session = await openCart(shop);
    const page = await shop.open(session);
    await pay(page, confirmSuffix);
    await says(page, '+238 991 21 59');
    await page.getByText(portuguese.wrongNumber).click();
    await page.getByRole('button', { name: portuguese.otherNumber }).click();
    await says(page, portuguese.cancelled.title);
    assert.equal(await page.locator('#phone').inputValue(), '9912159');
    await pay(page, '345');
    await says(page, portuguese.paid.advice);
    await page.context().close();
  });

  test('keeps the input after a refusal, with the button visible', async () => {
    const page = await shop.open(await openCart(shop));
    await pay(page, '099');
    await says(page, portuguese.failures.PAYER_AUTH_FAILED);
    assert.equal(await page.locator('#phone').inputValue(), '9912099');
    assert.ok(await page.locator('input[value=MOCK]').isChecked());
    const button = (await page.locator('#pay button').boundingBox())!;
    assert.ok(button.y + button.height <= 740, `${button.y + button.height} px`);
    await page.context().close();
  });

  test('marks a mistake in red until it is corrected', async () => {
    const page = await shop.open(await openCart(shop));
    await page.locator('#pay').evaluate((form) => void Object.assign(form, { noValidate: true }));
    await page.locator('#phone').fill('12');
    await page.locator('#pay button').click();
    await says(page, portuguese.phoneWrong('991 23 45'));
    const border = () =>
      page.evaluate(`getComputedStyle(document.getElementById('phone')).borderColor`);
    const red = await border();
    assert.equal(red, 'rgb(168, 32, 26)');
    await page.locator('#phone').pressSequentially('9');
    assert.equal(await page.getByText(portuguese.phoneWrong('991 23 45')).count(), 0);
    assert.notEqual(await border(), red);
    assert.equal(
      await page.locator('#phone').getAttribute('aria-describedby'),
      'phone-code phone-hint',
    );
    assert.ok(await page.getByText(portuguese.operatorMissing).isVisible(), 'it is still missing');
    await page.locator('input[value=MOCK]').check();
    assert.equal(await page.getByText(portuguese.operatorMissing).count(), 0);
    await page.context().close();
  });

  test('shows a green tick for success in any shop colour', async () => {
    const text = `UPDATE merchants SET brand_colour = '#e8590c'`;
    await shop.gateway.database.query({ text });
    const page = await shop.open(await openCart(shop));
    await pay(page, '345');
    await says(page, portuguese.paid.advice);
    const ground = `getComputedStyle(document.querySelector('.good .icon')).backgroundColor`;
    assert.equal(await page.evaluate(ground), 'rgb(11, 110, 79)');
    await shop.gateway.database.query({ text: 'UPDATE merchants SET brand_colour = NULL' });
    await page.context().close();
  });
}

/** Submits each tab's form before its effect could remove the others' forms. */
async function sendTogether(tabs: Page[]): Promise<void> {
  const allSent = Promise.withResolvers<void>();
  let sent = 0;
  const hold = async (route: Route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      if (sent === tabs.length) allSent.resolve();
      await allSent.promise;
    }
    await route.continue();
  };
  await Promise.all(tabs.map((tab) => tab.route('**/*', hold)));
}

function severalTabs(): void {
  test('debits once when two tabs pay one link, and shows both as paid', async () => {
    const session = await openCart(shop);
    const tabs = await Promise.all([shop.open(session), shop.open(session)]);
    await Promise.all(tabs.map((tab) => fill(tab, '345')));
    await sendTogether(tabs);
    await Promise.all(tabs.map((tab) => tab.locator('form button').click()));
    await Promise.all(tabs.map((tab) => says(tab, portuguese.paid.advice)));
    const { paymentIntentId } = await reload(shop.gateway, session);
    const { body } = await shop.gateway.api('GET', `/v1/payments/${paymentIntentId}`);
    assert.equal(body.status, 'DEBITED');
    const from = `payments WHERE checkout_session_id = (SELECT checkout_session_id FROM payments
      WHERE operator_tx_id = '${body.operatorTxId}')`;
    assert.equal(await countOf(shop.gateway, from), 1);
    await Promise.all(tabs.map((tab) => tab.context().close()));
  });

  test("shows another tab's progress while keeping the input", async () => {
    const session = await openCart(shop);
    const [typing, paying] = await Promise.all([shop.open(session), shop.open(session)]);
    await fill(typing, '345', 'UNITEL_TMAIS');
    await pay(paying, '049');
    await says(typing, portuguese.failures.INSUFFICIENT_FUNDS);
    assert.equal(await typing.locator('#phone').inputValue(), '9912345');
    assert.ok(await typing.locator('input[value=UNITEL_TMAIS]').isChecked());
    await typing.locator('form button').click();
    await says(typing, portuguese.paid.advice);
    await Promise.all([typing.context().close(), paying.context().close()]);
  });
}

function poorBrowsers(): void {
  test('works without JavaScript', async () => {
    const session = await openCart(shop);
    const page = await shop.open(session, { javaScriptEnabled: false });
    await pay(page, '049');
    await says(page, portuguese.failures.INSUFFICIENT_FUNDS);
    await pay(page, '345');
    await says(page, portuguese.paid.advice);
    await page.context().close();
  });

  test('polls if no stream gets through', async () => {
    const { gateway } = shop;
    const environment = { PAGE_STREAMS: '0', SIMULATOR_DELAY_MS: '400' };
    const { url } = await anotherGateway(context, gateway.databaseUrl, { environment });
    const page = await newPage(await openContext(shop.browser));
    await page.goto(addressOf({ ...gateway, url }, await openCart(shop)));
    await pay(page, '345');
    await says(page, portuguese.paid.advice);
    await page.context().close();
  });

  test('works by keyboard alone', async () => {
    const page = await shop.open(await openCart(shop));
    const focus = (selector: string) =>
      page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 10 && !(await focus(selector)); presses++) {
        await page.keyboard.press('Tab');
      }
      assert.ok(await focus(selector), selector);
    };
    await tabTo('#phone');
    await page.keyboard.type('9912345');
    await tabTo('input[name=operator]');
    await page.keyboard.press('ArrowDown');
    await tabTo('form button');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth');
    assert.equal(outline, '3px');
    await page.keyboard.press('Enter');
    await says(page, portuguese.paid.advice);
    await page.context().close();
  });
}

function reading(): void {
  test('shows English on request, by the browser or on the page', async () => {
    const session = await openCart(shop);
    const page = await shop.open(session, { locale: 'en-GB' });
    await says(page, english.pay('1,410.00 CVE'));
    const other = await shop.open(session);
    await says(other, portuguese.pay('1.410$00 CVE'));
    await other.getByRole('link', { name: 'English' }).click();
    await pay(other, '049');
    await says(other, english.failures.INSUFFICIENT_FUNDS);
    assert.equal(await other.locator('html').getAttribute('lang'), 'en');
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('suggests an operator by the number, and never overrides the customer', async () => {
    const page = await shop.open(await openCart(shop));
    const isChecked = (operator: string) => page.locator(`input[value=${operator}]`).isChecked();
    await page.locator('#phone').pressSequentially('991 23 45');
    assert.ok(await isChecked('CVMOVEL'));
    await page.getByText(portuguese.suggested).waitFor();
    await page.locator('#phone').fill('+238 521 23 45');
    assert.ok(await isChecked('UNITEL_TMAIS'));
    await page.locator('input[value=MOCK]').check();
    await page.locator('#phone').fill('991 23 45');
    assert.ok(await isChecked('MOCK'));
    await page.context().close();
  });

  test('shows hostile names as text, without reordering or running anything', async () => {
    const names = [
      `<script>document.title='run'</script><img src=x onerror="document.title='run'">`,
      '\u202eedacbat\u202c moc.liame@\u2066x',
      '👩‍👩‍👧‍👦🇨🇻 Café'.repeat(8),
      'W'.repeat(255),
    ];
    const items = names.map((name) => ({ name, quantity: 1, unitPrice: 100_000_000 }));
    const page = await shop.open(await openSession(shop.gateway, { items }), {
      viewport: { width: 320, height: 640 },
    });
    const shown = await page.locator('.items bdi').allInnerTexts();
    assert.equal(shown[0], names[0]);
    assert.doesNotMatch(shown[1]!, /[\u202a-\u202e\u2066-\u2069]/);
    assert.deepEqual(shown.slice(2), names.slice(2));
    assert.equal(await page.title(), portuguese.payTo('Loja de teste'));
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate(overflow), 0);
    await page.context().close();
  });

  test('loads at most 30 KB with the largest logo, all from our origin', async () => {
    const { database } = shop.gateway;
    const logo = Buffer.concat([tinyPng.subarray(0, -12), chunkOf(12_000), tinyPng.subarray(-12)]);
    const text = `UPDATE merchants SET brand_logo = $1, brand_logo_type = 'image/png'`;
    await database.query({ text }, [logo]);
    const browserContext = await openContext(shop.browser);
    const page = await newPage(browserContext);
    const wire = await countWire(browserContext, page);
    await page.goto(addressOf(shop.gateway, await openCart(shop)), { waitUntil: 'load' });
    await eventually('the logo is there', () => wire.urls.some((url) => url.includes('/logo')));
    assert.ok(wire.bytes() <= wireBytes, `${wire.bytes()} bytes`);
    for (const url of wire.urls) assert.equal(new URL(url).origin, shop.gateway.url);
    await browserContext.close();
  });
}

const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A PNG chunk that no decoder reads, and that does not compress. */
function chunkOf(length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length);
  head.write('zzZz', 4);
  return Buffer.concat([head, randomBytes(length), Buffer.alloc(4)]);
}

function countLoads(page: Page): () => number {
  let count = 0;
  page.on('domcontentloaded', () => {
    count++;
  });
  return () => count;
}

/** The transferred bytes, headers included; the stream of changes has no end. */
async function countWire(context: BrowserContext, page: Page) {
  const client = await context.newCDPSession(page);
  const urls: string[] = [];
  let bytes = 0;
  client.on('Network.requestWillBeSent', ({ request: { url } }) => {
    if (!url.startsWith('data:')) urls.push(url);
  });
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await client.send('Network.enable');
  return { urls, bytes: () => bytes };
}
