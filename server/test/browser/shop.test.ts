/** The shop as npm run example starts it, from scratch, for customers without JavaScript and with it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { cleanUp } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';
import { eventually, zimboOf } from '../support/gateway.ts';
import { lacks } from '../support/pages.ts';
import { testDataDir } from '../support/process.ts';
import { prepareShop, type Shop, shops, startShop } from '../support/shops.ts';
import { launchBrowser } from './browser.ts';
import { frameIn } from './drop-in-world.ts';
import { desktop, newPage, openContext, pay, says } from './pages.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const startMs = 90_000;

/** Runs `npm run example`; ended by Ctrl-C. */
async function runExample(context: TestContext, environment: Record<string, string>) {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [, ...args] = scripts.example.split(' || ').at(-1).split(' ');
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  cleanUp(context, stop);
  const look = () => {
    if (child.exitCode !== null) throw new Error(`the shop ended: ${printed}`);
    return /^Open (\S+) and buy something: the phone ([\d ]+) pays/m.exec(printed);
  };
  const [, url, phone] = await eventually('the shop is open', () => look() ?? undefined, startMs);
  return { url: url!, phone: phone!.replaceAll(' ', ''), stop };
}

/** Buys by a double click, thinks again, and pays from the page of the order, without leaving the shop. */
async function payInDialog(page: Page, { url, phone }: { url: string; phone: string }) {
  await page.goto(url);
  await page.getByRole('button', { name: 'Comprar Café do Fogo' }).dblclick();
  await frameIn(page);
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/orders\//);
  await says(page, 'A aguardar o pagamento');
  await page.getByRole('button', { name: /^Pagar 850/ }).click();
  const frame = await frameIn(page);
  await frame.locator('#phone').fill(phone);
  await frame.locator('input[value=MOCK]').check();
  await frame.locator('#pay button').click();
  await says(page, 'Encomenda paga');
  assert.equal(page.frames().length, 1);
}

/** Where the request of dialog.js fails, the form itself leads to the payment page. */
async function payWithoutAnswer(page: Page, { url }: { url: string }) {
  await page.route(`${url}/orders`, (route) =>
    route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
  );
  await page.goto(url);
  await page.getByRole('button', { name: 'Comprar Café do Fogo' }).click();
  await page.waitForURL(/\/pay\//);
  await says(page, 'Café do Fogo');
}

/** The same shop in another language, at the same gateway. No webhook arrives there: the shop asks. */
async function openInLanguage(context: TestContext, shop: Shop, demo: Record<string, string>) {
  const prepared = await prepareShop(context, shop);
  if ('missing' in prepared) return prepared.missing;
  const zimbo = zimboOf(demo.ZIMBO_URL!, demo.ZIMBO_API_KEY!);
  const settings = { ...demo, ZIMBO_WEBHOOK_SECRET: 'whsec_none' };
  const { url } = await startShop(context, shop, prepared.folder, () => settings);
  await zimbo.checkout.settings.update({ frameOrigins: [url] });
  return { url };
}

test('npm run example: a customer buys, pays on the hosted page, and returns to a paid order', {
  timeout: 290_000,
}, async (context) => {
  const dataDir = await testDataDir(context);
  const ports = { PORT: String(await freePort()), SHOP_PORT: String(await freePort()) };
  const environment = { DATA_DIR: dataDir, SIMULATOR_DELAY_MS: '200', ...ports };
  const shop = await runExample(context, environment);

  const browser = await launchBrowser();
  cleanUp(context, () => browser.close());
  const page = await newPage(await openContext(browser, { javaScriptEnabled: false }));
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Comprar Doce de papaia' }).click();
  await says(page, 'Doce de papaia');
  assert.match(page.url(), /\/pay\//, 'the browser let the form lead to the payment page');
  assert.equal(await page.locator('h1').innerText(), 'Loja da Praia', "the page is the shop's own");
  await pay(page, shop.phone.slice(-3));
  await says(page, 'Encomenda paga');
  assert.match(page.url(), /\/orders\//);
  const visit = async () => newPage(await openContext(browser, { viewport: desktop }));
  await payInDialog(await visit(), shop);
  await payWithoutAnswer(await visit(), shop);

  const demo = parseEnv(await readFile(join(dataDir, 'demo.env'), 'utf8')) as Record<
    string,
    string
  >;
  const zimbo = zimboOf(demo.ZIMBO_URL!, demo.ZIMBO_API_KEY!);
  const endpoints = async () => (await zimbo.webhooks.list().page()).data;
  const [endpoint] = await endpoints();
  const SHOP_PORT = String(await freePort());
  const second = await runExample(context, { ...environment, SHOP_PORT });
  assert.deepEqual(
    (await endpoints()).map(({ id, url }) => ({ id, url })),
    [{ id: endpoint!.id, url: `${second.url}/webhooks` }],
    'the endpoint was registered once, and has moved',
  );
  await second.stop();
  for (const other of shops.filter(({ runs, fetches }) => !runs && !fetches)) {
    await context.test(`in ${other.language}`, { skip: lacks(other.needs) }, async (part) => {
      const opened = await openInLanguage(part, other, demo);
      if (typeof opened === 'string') return part.skip(opened);
      return payInDialog(await visit(), { ...opened, phone: shop.phone });
    });
  }
  assert.ok((await fetch(`http://127.0.0.1:${ports.PORT}/readyz`)).ok, 'it was not its gateway');
  await shop.stop();
  await assert.rejects(fetch(`http://127.0.0.1:${ports.PORT}/readyz`), 'its gateway has ended');
});
