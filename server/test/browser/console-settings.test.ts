/** An owner sets up the shop, and sees it as its customers do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { okPhone, openSession, pageOf, reachStatus } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { receiptTokenOf } from '../support/receipts.ts';
import { launchBrowser } from './browser.ts';
import { addressOf, newPage, openContext, says } from './pages.ts';

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

const logo = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>'),
};

test("shows the owner's name, colour, logo and text in the preview, on the payment page and on the receipt", async () => {
  const page = await settings();
  await page.getByLabel('Nome para os clientes').fill('Mercearia da Praia');
  await page.getByLabel('Cor', { exact: true }).fill('#c2410c');
  await page.getByLabel('Logótipo').setInputFiles(logo);
  await page.getByLabel('Telefone da loja').fill('991 23 45');
  await page.getByLabel('NIF').fill('254 123 456');
  await page.getByLabel('Texto do recibo').fill('Trocas até 30 dias.\nObrigado!');
  await page.getByRole('button', { name: 'Pré-visualizar' }).click();
  await says(page, 'Um número internacional');
  await page.getByLabel('Telefone da loja').fill('+238 991 23 45');
  await page.getByRole('button', { name: 'Pré-visualizar' }).click();
  await says(page, 'O logótipo novo já está na pré-visualização');
  const receipts = page.locator('figure', { hasText: 'Recibo · Português' });
  assert.match(await receipts.innerText(), /Mercearia da Praia[\s\S]*254/);
  const pay = page.locator('figure', { hasText: 'Página de pagamento · Português' });
  assert.equal(await backgroundOf(page, '.screen .pay'), 'rgb(194, 65, 12)');
  assert.match((await pay.locator('img').getAttribute('src'))!, /^data:image\/svg\+xml/);
  const [before] = await site.gateway.database.query({ text: 'SELECT brand_name FROM merchants' });
  assert.deepEqual(before, { brand_name: null }, 'a preview stores nothing');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await says(page, 'As definições da loja foram guardadas.');

  const session = await openSession(site.gateway);
  const customer = await newPage(await openContext(browser));
  await customer.goto(addressOf(site.gateway, session));
  await says(customer, 'Mercearia da Praia');
  assert.ok(await customer.evaluate(`document.querySelector('img.logo').naturalWidth > 0`));
  assert.equal(await backgroundOf(customer, 'form button'), 'rgb(194, 65, 12)');
  await pageOf(site.gateway, session).pay(okPhone);
  const { paymentIntentId } = await reachStatus(site.gateway, session, 'COMPLETED');
  const token = await receiptTokenOf(site.gateway, { id: paymentIntentId! });
  await customer.goto(`${site.gateway.url}/receipt/${token}`);
  const receipt = await customer.locator('main').innerText();
  for (const text of ['Mercearia da Praia', '254123456', 'Trocas até 30 dias.', 'Obrigado!']) {
    assert.ok(receipt.includes(text), `${text} in ${receipt}`);
  }
  assert.match(receipt, /hora de Cabo Verde/);
  const audit = await site.gateway.database.query<{ before: object; after: object }>({
    text: `SELECT before, after FROM audit_records WHERE action = 'merchant.branded'`,
  });
  assert.equal(audit.length, 1);
  assert.match(JSON.stringify(audit[0]!.before), /"taxNumber": ?null/);
  assert.match(JSON.stringify(audit[0]!.after), /254123456/);
  await customer.context().close();
  await page.context().close();
});

test('offers customers only the languages of the shop', async () => {
  const page = await settings();
  await page.getByLabel('Idiomas das páginas').selectOption('en');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await says(page, 'As definições da loja foram guardadas.');
  assert.equal(await page.locator('figure').count(), 2, 'previews in one language');
  const customer = await newPage(await openContext(browser));
  await customer.goto(addressOf(site.gateway, await openSession(site.gateway)));
  await says(customer, 'Total to pay');
  assert.equal(await customer.getByRole('link', { name: 'Português' }).count(), 0);
  await page.getByLabel('Idiomas das páginas').selectOption('en,pt');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await says(page, 'As definições da loja foram guardadas.');
  await customer.reload();
  await says(customer, 'Total a pagar');
  await customer.context().close();
  await page.context().close();
});

test('names the time zone on pages, and changes it from the next month', async () => {
  const page = await settings();
  await says(page, 'Agora: hora de Cabo Verde');
  await page.getByLabel('Fuso horário').selectOption('Africa/Luanda');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await says(page, 'Muda para a hora de Angola em');
  await page.goto(`${site.origin}${site.base}/payments`);
  await says(page, 'Horas desta página: hora de Cabo Verde (UTC−1)');
  const title = await page.locator('main time').first().getAttribute('title');
  assert.match(title!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}, hora de Cabo Verde \(UTC−1\)$/);
  await page.context().close();
});

test('puts the main currency first', async () => {
  const page = await settings();
  await page.getByLabel('Moeda principal').selectOption('AOA');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await says(page, 'As definições da loja foram guardadas.');
  await page.goto(`${site.origin}${site.base}/products/new`);
  assert.equal(await page.getByLabel('Moeda').inputValue(), 'AOA');
  await page.context().close();
});

test('lets nobody else change the shop', async () => {
  const viewer = await site.signIn('FINANCE');
  assert.equal((await viewer.get('settings')).status, 403);
});

const backgroundOf = (page: Page, selector: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);

async function settings(): Promise<Page> {
  const { cookie } = await site.signIn('OWNER');
  const context = await openContext(browser);
  const [name, value] = cookie.split('=');
  await context.addCookies([{ name: name!, value: value!, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}/settings`);
  return page;
}
