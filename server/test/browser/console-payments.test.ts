/** Payments in a real browser: a customer reads out a receipt, and the shop finds it on a phone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openSession } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { launchBrowser } from './browser.ts';
import { addressOf, newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

before(async () => {
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  const { payments } = site.gateway.zimbo;
  for (let n = 1; n <= 8; n++) {
    const { id } = await payments.create({
      amount: 10_000 * n,
      operator: 'MOCK',
      operatorPhone: `+238991234${n}`,
      externalId: `E-${n}`,
    });
    await reach(payments, id, 'DEBITED');
  }
});
after(async () => {
  for (const step of undo) await step();
});

test('finds a payment by everything that its customer can read out or send', async () => {
  const customer = await newPage(await openContext(browser));
  const session = await openSession(site.gateway, { amount: 123_450, description: 'Mensalidade' });
  const link = addressOf(site.gateway, session);
  await customer.goto(link);
  await customer.locator('#phone').fill('\u202a+238 991–23–45\u202c');
  await customer.locator('input[value=MOCK]').check();
  await customer.locator('form button').click();
  await says(customer, 'Pagamento concluído');
  const shown = await customer.locator('dl b').first().innerText();
  assert.match(shown, /^[0-9A-Z]{4} [0-9A-Z]{4}$/);
  await customer.locator('a[href*="/receipt/"]').first().click();
  await customer.locator('main.receipt').waitFor();
  const printed = await customer.locator('dl b').first().innerText();
  assert.equal(printed, shown, 'page and receipt say the same');
  const id = await customer.locator('dl small', { hasText: 'pi_' }).innerText();
  const receipt = customer.url();
  const page = await openPage('payments');
  const found = async (typed: string) => {
    await page.locator('#search').fill(typed);
    await page.locator('#search').press('Enter');
    await says(page, '1.234,50');
    const row = page.locator('.rows tbody tr', { hasText: '1.234,50' });
    assert.equal(await row.count(), 1, typed);
    return row;
  };
  const phone = '••• 345';
  for (const typed of [
    printed,
    printed.toLowerCase().replace(' ', ''),
    id.toUpperCase(),
    id.replace('pi_', ''),
    receipt,
    link,
    session.id.replace('cs_', ''),
    '+238 991–23–45',
    '9912345',
    phone,
    '1.234,50',
  ]) {
    await found(typed);
  }
  const row = await found(printed);
  const box = (await row.boundingBox())!;
  await page.touchscreen.tap(box.x + box.width - 8, box.y + box.height - 6);
  await page.waitForURL(`**/payments/${id}`);
  await says(page, id);
  await says(page, '+238 991 23 45');
  await customer.context().close();
  await page.context().close();
});

test('shows payments on a phone in two lines below their day, with the total of a filter', async () => {
  const page = await openPage('payments');
  const rows = page.locator('.rows tbody tr:not(.group)');
  assert.ok((await rows.count()) >= 8);
  const first = (await rows.first().boundingBox())!;
  assert.ok(first.y < 320, `the first row begins at ${first.y}`);
  for (const row of await rows.all()) {
    const { height } = (await row.boundingBox())!;
    assert.ok(height < 70, `two lines have ${height}`);
  }
  assert.equal(await page.locator('.rows tr.group').count(), 1, 'one day');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await page.locator('.fold > summary').click();
  await page.locator('details.more > summary').click();
  await page.getByLabel('Valor a partir de').fill('700');
  await page.getByLabel('Valor até').fill('800');
  await page.getByRole('button', { name: 'Filtrar' }).click();
  await says(page, '2 pagamentos');
  await says(page, '2 pagos: 1.500,00');
  assert.equal(await rows.count(), 2);
  await page.context().close();
});

test('shows the filters on a computer without a click', async () => {
  const page = await openPage('payments', { viewport: { width: 1440, height: 900 } });
  assert.ok(await page.locator('#operator').isVisible());
  assert.ok(!(await page.locator('.fold > summary').isVisible()));
  await page.locator('.rows .of-phone').first().click({ force: true });
  await page.waitForURL('**/payments/pi_*');
  await page.context().close();
});

async function openPage(
  path: string,
  options: Parameters<typeof openContext>[1] = { hasTouch: true, isMobile: true },
): Promise<Page> {
  const { cookie } = await site.signIn('OWNER');
  const context = await openContext(browser, options);
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}/${path}`);
  return page;
}
