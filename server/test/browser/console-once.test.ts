/** Whatever an unsure person does at the till, the customer is charged once, and the screen tells the truth. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { countOf } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/gateway.ts';
import { launchBrowser } from './browser.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

before(async () => {
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
});
after(async () => {
  for (const step of undo) await step();
});

for (const javaScriptEnabled of [true, false]) {
  test(`two taps on the button are one charge, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await till(await member({ javaScriptEnabled }));
    const amount = javaScriptEnabled ? '11' : '12';
    await fill(page, amount);
    await page.getByRole('button', { name: /^Cobrar/ }).dblclick();
    await paid(page, amount);
    await page.context().close();
  });
}

test('shows an empty till with the last charge after returning from a payment', async () => {
  const page = await till(await member());
  const key = await page.locator('input[name=key]').inputValue();
  await fill(page, '13');
  await charge(page);
  await paid(page, '13');
  await page.goBack();
  const latest = page.locator('.latest a', { hasText: '13,00 CVE' });
  await latest.waitFor();
  assert.equal(await page.locator('#amount').inputValue(), '');
  assert.equal(await page.locator('#phone').inputValue(), '');
  assert.notEqual(await page.locator('input[name=key]').inputValue(), key, 'another charge');
  await latest.click();
  await paid(page, '13');
  await page.context().close();
});

test('charges once for one form in two tabs, and shows that in both', async () => {
  const context = await member();
  const [one, two] = [await till(context), await till(context)];
  const key = await one.locator('input[name=key]').inputValue();
  await two.locator('input[name=key]').evaluate((field, value) => {
    field.setAttribute('value', value);
  }, key);
  await fill(one, '14');
  await fill(two, '14');
  await Promise.all([charge(one), charge(two)]);
  await Promise.all([paid(one, '14'), paid(two, '14')]);
  assert.equal(one.url(), two.url());

  const late = await till(context);
  await late.locator('input[name=key]').evaluate((field, value) => {
    field.setAttribute('value', value);
  }, key);
  await fill(late, '99');
  await charge(late);
  await says(late, 'nada mais foi cobrado');
  await paid(late, '14');
  assert.equal(await countOf(site.gateway, 'payments WHERE amount_minor = 9900'), 0);
  await context.close();
});

test('shows the charge on the reopened till, without JavaScript and without an answer', async () => {
  const page = await till(await member({ javaScriptEnabled: false }));
  await fill(page, '15');
  await page.route('**/charge', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch({ maxRedirects: 0 });
    return route.abort('connectionreset');
  });
  const pressed = charge(page).catch(() => {});
  const isThere = () => countOf(site.gateway, 'payments WHERE amount_minor = 1500');
  await eventually('the payment is there', async () => (await isThere()) === 1);
  await pressed;
  const again = await till(page.context());
  await again.locator('.latest a', { hasText: '15,00 CVE' }).click();
  await paid(again, '15');
  await page.context().close();
});

function member(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return site.signIn('SUPPORT').then(async ({ cookie }) => {
    const context = await openContext(browser, options);
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: site.origin }]);
    return context;
  });
}

async function till(context: BrowserContext): Promise<Page> {
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}/charge`);
  return page;
}

async function fill(page: Page, amount: string): Promise<void> {
  await page.locator('#amount').fill(amount);
  await page.locator('#phone').fill('9912345');
  await page.locator('input[value=MOCK]').check();
}

const charge = (page: Page) => page.getByRole('button', { name: /^Cobrar/ }).click();

/** The page shows the charge, which happened once. */
async function paid(page: Page, amount: string): Promise<void> {
  await page.locator('.result').getByText(`${amount},00 CVE`).waitFor();
  await page.locator('.result[data-state=paid], .result[data-state=waiting]').waitFor();
  assert.equal(await countOf(site.gateway, `payments WHERE amount_minor = ${amount}00`), 1);
}
