/** An accountant's first look in a real browser: the file of payments adds up, and the chart shows every day. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type TestConsole, testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { launchBrowser } from './browser.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;
let refunded: string;

before(async () => {
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  const { payments, refunds } = site.gateway.zimbo;
  const pay = (amount: number, operatorPhone: string) =>
    payments.create({ amount, operator: 'MOCK', operatorPhone });
  refunded = (await pay(150_000, '+2389912345')).id;
  const failed = await pay(500_000, '+2389910049');
  await reach(payments, refunded, 'DEBITED');
  await reach(payments, failed.id, 'FAILED');
  const { id } = await refunds.create({ paymentIntentId: refunded, amount: 75_000 });
  await reach(refunds, id, 'SUCCEEDED');
});
after(async () => {
  for (const step of undo) await step();
});

async function openPage(path: string): Promise<Page> {
  const { cookie } = await site.signIn('FINANCE');
  const context = await openContext(browser);
  const value = cookie.replace('zimbo=', '');
  await context.addCookies([{ name: 'zimbo', value, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}${path}`);
  return page;
}

test('downloads payments whose columns add up to what the shop receives', async () => {
  const page = await openPage('/payments/export');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descarregar CSV' }).click(),
  ]);
  const [heads, ...rows] = readFileSync(await download.path(), 'utf8')
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(';'));
  assert.equal(rows.length, 2);
  const sum = (head: string) =>
    rows.reduce((total, row) => total + Number(row[heads!.indexOf(head)]!.replace(',', '.')), 0);
  assert.equal(sum('Comissão'), 30, 'nothing was earned on the payment that failed');
  assert.equal(sum('Líquido'), 1_470);
  assert.equal(sum('Reembolsado'), 750);
  assert.equal(sum('Líquido após reembolsos'), 720);
  const states = rows.map((row) => row[heads!.indexOf('Estado no ecrã')]);
  await page.goto(`${site.origin}${site.base}/payments`);
  for (const state of states) await page.locator('.rows', { hasText: state! }).waitFor();
  await page.goto(`${site.origin}${site.base}/payments/${refunded}`);
  await says(page, '720,00 CVE');
  await page.context().close();
});

test('shows every day of a chart on the first day, with today at the right', async () => {
  const page = await openPage('?days=7');
  await page.locator('summary', { hasText: 'Ver como tabela' }).first().click();
  const rows = page.locator('#series-CVE tbody tr');
  assert.equal(await rows.count(), 7);
  assert.match(await rows.last().innerText(), /1\.500,00/);
  const days = await rows
    .locator('time')
    .evaluateAll((times) =>
      times.map((time) => (time as unknown as { dateTime: string }).dateTime.slice(0, 10)),
    );
  assert.equal(new Set(days).size, 7);
  await page.context().close();
});
