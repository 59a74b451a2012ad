/**
 * `npm run pictures`: retakes the pictures of README.md and docs/, of a shop in Praia that has been
 * open for 90 days (shop-world.ts). Look at them before you commit.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openSession } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { launchBrowser } from './browser.ts';
import { openSite } from './drop-in-world.ts';
import { addressOf, cart, newPage, pay, says } from './pages.ts';
import { furnish } from './shop-world.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures');
const mostBytes = 120_000;
const hand = { width: 390, height: 880 };
const desk = { width: 1280, height: 860 };
// The browser formats days in its fields by its options, not by the page's language.
Object.assign(process.env, { LANGUAGE: 'pt_PT', LANG: 'pt_PT.UTF-8' });
const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];

test('pictures of the console and of the payment page', { timeout: 170_000 }, async (context) => {
  mkdirSync(folder, { recursive: true });
  // Long enough for a picture of the waiting state.
  const environment = { SIMULATOR_DELAY_MS: '4000' };
  const timing = { firstBackoffMs: 15_000, maxBackoffMs: 30_000 };
  const site = await testConsole(context, { environment, timing });
  await furnish(site);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const studio = { site, browser, cookie: await owner(site) };

  await signIn(studio);
  for (const scheme of schemes) await walk(studio, scheme);
  await payments(studio);
  await links(studio);
  await money(studio);
  await developers(studio, await testReceiver(context));
  await paymentPage(studio);
  await dialog(studio, context);
});

interface Studio {
  site: TestConsole;
  browser: Browser;
  cookie: string;
}

async function owner({ gateway, signIn: enter }: Pick<TestConsole, 'gateway' | 'signIn'>) {
  const { cookie, personId } = await enter('OWNER');
  const text = `UPDATE people SET name = 'Gerência', email = 'gerencia@loja.example' WHERE id = $1`;
  await gateway.database.query({ text }, [personId]);
  return cookie;
}

async function open(
  { site, browser, cookie }: Studio,
  path: string,
  { viewport = desk, scheme = 'light' as Scheme } = {},
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport,
    locale: 'pt-PT',
    timezoneId: 'Atlantic/Cape_Verde',
    colorScheme: scheme,
    reducedMotion: 'reduce',
    deviceScaleFactor: viewport === hand ? 1.5 : 1.25,
  });
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(path.startsWith('http') ? path : `${site.origin}${site.base}/${path}`);
  return page;
}

async function signIn({ browser, site }: Studio): Promise<void> {
  const stranger = { site, browser, cookie: 'nobody=nobody' };
  const page = await open(stranger, `${site.origin}/console/sign-in`, { viewport: hand });
  await save(browser, 'sign-in', [
    await page.screenshot({ clip: { x: 0, y: 0, width: 390, height: 640 } }),
  ]);
  await page.context().close();
}

/** Home on a desktop; then till, waiting, paid and receipt on a phone. */
async function walk(studio: Studio, scheme: Scheme): Promise<void> {
  const home = await open(studio, `${studio.site.origin}${studio.site.base}?days=30`, { scheme });
  await home.locator('.chart canvas').waitFor();
  await save(studio.browser, `home-${scheme}`, [await home.screenshot()], scheme);
  await home.context().close();

  const page = await open(studio, 'charge', { viewport: hand, scheme });
  const shots: Buffer[] = [];
  const shoot = async (of = page) => void shots.push(await of.screenshot());
  for (const key of ['1', '2', '5', '0']) {
    await page.getByRole('button', { name: key, exact: true }).click();
  }
  await page.getByRole('button', { name: '991 23 45 paga' }).click();
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  await shoot();
  if (scheme === 'light')
    await save(studio.browser, 'till', [await page.screenshot({ fullPage: true })]);
  await page.getByRole('button', { name: /^Cobrar/ }).click();
  await says(page, 'Falta confirmar com o PIN');
  await shoot();
  await says(page, /^Pago$/);
  await shoot();
  const receipt = await page.getByRole('link', { name: 'Ver recibo' }).getAttribute('href');
  // Tests listen on a free port, which the public URL does not contain.
  await page.goto(`${studio.site.gateway.url}${new URL(receipt!).pathname}`);
  await shoot();
  await save(studio.browser, `walk-${scheme}`, shots, scheme);
  await page.context().close();
}

/** The list, and a partly refunded payment. */
async function payments(studio: Studio): Promise<void> {
  const page = await open(studio, 'payments');
  await save(studio.browser, 'payments', [await page.screenshot()]);
  await page.locator('tbody a').first().click();
  await page.getByRole('link', { name: 'Reembolsar' }).click();
  await page.getByLabel('Valor').fill('450,00');
  await page.getByLabel('Motivo').fill('Um prato a menos');
  await page.getByRole('button', { name: 'Reembolsar' }).click();
  await says(page, 'O reembolso está feito');
  await page.goto(page.url().split('?')[0]!);
  await save(studio.browser, 'payment', [await page.screenshot()]);
  await page.context().close();
}

/** A link on a phone, and its poster on paper. */
async function links(studio: Studio): Promise<void> {
  const { browser } = studio;
  const page = await open(studio, 'links/new', { viewport: hand });
  await page.getByLabel('Valor').fill('2 500');
  await page.getByLabel('O que se paga').fill('Almoço de domingo para quatro');
  await page.getByRole('button', { name: 'Criar link' }).click();
  await says(page, 'O cliente aponta a câmara');
  await page.goto(page.url().split('?')[0]!);
  const link = await page.screenshot();
  await page.getByRole('link', { name: 'Cartaz para imprimir' }).click();
  await page.setViewportSize({ width: 680, height: 1009 });
  await page.emulateMedia({ media: 'print' });
  await save(browser, 'link', [link, await page.screenshot()]);
  await page.context().close();
}

async function money(studio: Studio): Promise<void> {
  for (const path of ['money', 'audit'] as const) {
    const page = await open(studio, path);
    await save(studio.browser, path, [await page.screenshot()]);
    await page.context().close();
  }
}

type Receiver = Awaited<ReturnType<typeof testReceiver>>;

/** An endpoint whose first delivery failed. */
async function developers(studio: Studio, receiver: Receiver): Promise<void> {
  const { zimbo, database } = studio.site.gateway;
  receiver.answer = (index) => (index === 1 ? 503 : 200);
  const events = ['payment.created', 'payment.debited', 'refund.succeeded'] as const;
  const { id } = await zimbo.webhooks.create({ url: receiver.url, events: [...events] });
  for (const amount of [45_000, 21_000, 6_000]) {
    await zimbo.payments.create({ amount, operator: 'CVMOVEL', operatorPhone: '+2389612345' });
  }
  await eventually('all are delivered', () => receiver.received.length >= 7);
  const text = `UPDATE webhook_endpoints SET url = 'https://loja.example/webhooks'`;
  await database.query({ text });
  const page = await open(studio, `endpoints/${id}`);
  await save(studio.browser, 'developers', [await page.screenshot()]);
  await page.context().close();
}

/** The customer's view: the form, waiting, paid. */
async function paymentPage(studio: Studio): Promise<void> {
  const { gateway } = studio.site;
  const session = await openSession(gateway, cart);
  const page = await open(studio, addressOf(gateway, session), { viewport: hand });
  const shots = [await page.screenshot()];
  await pay(page, '345');
  await says(page, 'Confirme o pagamento');
  shots.push(await page.screenshot());
  await says(page, 'Pagamento concluído');
  shots.push(await page.screenshot());
  await save(studio.browser, 'payment-page', shots);
  await page.context().close();
}

/** The payment page over the shop's page, and on a phone as a page of its own. */
async function dialog(studio: Studio, context: TestContext): Promise<void> {
  const { gateway } = studio.site;
  const site = await openSite(context, 'loja');
  await gateway.zimbo.checkout.settings.update({ frameOrigins: [site.origin] });
  const address = addressOf(gateway, await openSession(gateway, cart));
  site.files['/'] = { body: shopPage(`${gateway.url}/pay/checkout.js`, address) };
  const shots: Buffer[] = [];
  for (const viewport of [{ width: 1060, height: 1056 }, hand]) {
    const page = await open(studio, site.origin, { viewport });
    await page.getByRole('button', { name: 'Pagar' }).click();
    const isDialog = viewport !== hand;
    const form = isDialog ? page.frameLocator('dialog.shown iframe') : page;
    await form.locator('#phone').fill('991 23 45');
    shots.push(await page.screenshot());
    await page.context().close();
  }
  await save(studio.browser, 'dialog', shots);
}

/** A shop that is about to be paid. */
const shopPage = (script: string, session: string) => `<!doctype html>
<html lang="pt"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loja</title><script src="${script}" defer></script>
<style>body { margin: 0; font: 1.125rem/1.6 system-ui, sans-serif; color: #17201d; background: #f4efe6 }
  header { padding: 1rem 2rem; background: #7c2d12; color: #fff; font-weight: 700 }
  main { max-width: 40rem; padding: 1rem 2rem }</style>
<header>Sabores da Achada</header>
<main><h1>O seu pedido</h1><p>2 × Cachupa rica</p><p>6 × Pastel com diabo dentro</p><p>1 × Sumo de tamarindo</p>
<zimbo-button session="${session}" label="Pagar"></zimbo-button></main></html>`;

/** Puts the shots side by side, and saves them as WebP, which the browser itself can write. */
async function save(
  browser: Browser,
  name: string,
  shots: Buffer[],
  scheme: Scheme = 'light',
): Promise<void> {
  const page = await browser.newPage();
  const pictures = shots.map((shot) => `data:image/png;base64,${shot.toString('base64')}`);
  const ground = scheme === 'light' ? '#dfe5e2' : '#24302b';
  const draw = async (quality: number) => {
    const drawn = await page.evaluate(
      `(${inBrowser})(${JSON.stringify({ pictures, ground, quality })})`,
    );
    return Buffer.from(String(drawn).split(',')[1]!, 'base64');
  };
  let quality = 0.9;
  let file = await draw(quality);
  while (file.length > mostBytes && quality > 0.4) {
    quality -= 0.1;
    file = await draw(quality);
  }
  assert.ok(file.length <= mostBytes, `${name} has ${file.length} bytes`);
  writeFileSync(join(folder, `${name}.webp`), file);
  console.log(`${name}.webp: ${file.length} bytes`);
  await page.close();
}

const inBrowser = `async ({ pictures, ground, quality }) => {
  const images = await Promise.all(pictures.map(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return image;
  }));
  const gap = images.length > 1 ? 24 : 2;
  const canvas = document.createElement('canvas');
  canvas.width = images.reduce((sum, { width }) => sum + width + gap, gap);
  canvas.height = Math.max(...images.map(({ height }) => height)) + 2 * gap;
  const drawing = canvas.getContext('2d');
  drawing.fillStyle = ground;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  let left = gap;
  for (const image of images) {
    drawing.drawImage(image, left, gap);
    left += image.width + gap;
  }
  return canvas.toDataURL('image/webp', quality);
}`;
