/** Reusable links in a real browser: made from a product, printed, paid by the short address, paused; on a dead line. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { renderSVG } from 'uqr';
import { countOf, openSession } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/gateway.ts';
import { launchBrowser } from './browser.ts';
import { addressOf, fill, newPage, openContext, says } from './pages.ts';

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

test('makes a link from a product with one tap, prints its poster, and finds it again', async () => {
  const { zimbo } = site.gateway;
  const product = await zimbo.products.create({ name: 'Cachupa rica', price: 45_000 });
  const page = await openConsole(`products/${product.id}`);
  await page.getByRole('button', { name: 'Link e código QR' }).click();
  await says(page, 'O link foi criado.');
  await says(page, '450,00 CVE');
  const { data } = await zimbo.paymentLinks.list().page();
  const [link] = data.filter(({ productId }) => productId === product.id);
  const { shortUrl } = link!;
  const message = encodeURIComponent(`Pague a Loja de teste aqui: ${shortUrl}`);
  assert.equal(await page.locator('[data-copy]').getAttribute('data-copy'), shortUrl);
  assert.equal(await page.locator('[data-share]').getAttribute('data-share'), shortUrl);
  assert.equal(
    await page.getByText('WhatsApp').getAttribute('href'),
    `https://wa.me/?text=${message}`,
  );
  assert.equal(await page.getByText('SMS').getAttribute('href'), `sms:?body=${message}`);
  await page.getByRole('link', { name: 'Cartaz para imprimir' }).click();
  await page.getByText('Aponte a câmara').waitFor();
  assert.ok(await page.getByText(shortUrl.replace(/^https?:\/\//, '')).isVisible());
  const code = await page.evaluate(
    `fetch(document.querySelector('.code').src).then((answer) => answer.text())`,
  );
  assert.equal(code, renderSVG(shortUrl, { ecc: 'M', border: 4 }));
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length, 1, 'one sheet');
  await page.goto(`${site.origin}${site.base}/products/${product.id}`);
  await page.getByRole('link', { name: 'Link e código QR' }).click();
  await says(page, 'Quem pagou');
  assert.match(page.url(), new RegExp(`/links/reusable/${link!.id}$`));
  assert.equal(await countOf(site.gateway, 'payment_links'), 1);
  await page.context().close();
});

test('shows a payment by the short address, and pauses the link', async () => {
  const { zimbo, url } = site.gateway;
  const link = await zimbo.paymentLinks.create({ description: 'Quota mensal', amount: 50_000 });
  const customer = await newPage(await openContext(browser));
  const short = `${url}${new URL(link.shortUrl).pathname}`;
  await customer.goto(short);
  await customer.getByRole('button', { name: 'Continuar' }).click();
  await fill(customer, '345');
  await customer.getByRole('button', { name: /Pagar/ }).click();
  await says(customer, 'Pagamento concluído');
  const page = await openConsole('links/reusable');
  await page.getByRole('link', { name: 'Quota mensal' }).click();
  await says(page, '1 pagamento · 500,00 CVE');
  assert.equal(await page.locator('tbody tr').count(), 1);
  await page.getByRole('button', { name: 'Pausar' }).click();
  await says(page, 'O link está em pausa.');
  assert.equal(await page.locator('[data-copy]').count(), 0, 'nobody shares it now');
  await customer.goto(short);
  await says(customer, 'De momento não se pode pagar por este link');
  await page.getByRole('button', { name: 'Retomar' }).click();
  await says(page, 'O link volta a receber pagamentos.');
  await customer.goto(short);
  await customer.getByRole('button', { name: 'Continuar' }).waitFor();
  await customer.context().close();
  await page.context().close();
});

test('pays once over a line that is dead when the customer presses, and while the page waits', async () => {
  const session = await openSession(site.gateway, { amount: 7_700 });
  const page = await newPage(await openContext(browser));
  await page.goto(addressOf(site.gateway, session));
  await fill(page, '159');
  await page.context().setOffline(true);
  const offline = page.getByText('Sem ligação. A tentar de novo…').first();
  await page.locator('#pay button').click();
  await offline.waitFor();
  assert.ok(await page.locator('#phone').isVisible(), 'the page stays');
  await page.context().setOffline(false);
  await says(page, 'Confirme o pagamento no seu telemóvel');
  await says(page, '+238 991 21 59');
  await page.context().setOffline(true);
  await offline.waitFor();
  const payment = await eventually('it is there', async () => {
    const { data } = await site.gateway.zimbo.payments.list({ status: 'USER_CONFIRMING' }).page();
    return data.find(({ amount }) => amount === '7700');
  });
  await site.gateway.zimbo.payments.confirm(payment.id);
  await page.context().setOffline(false);
  await says(page, 'Pagamento concluído');
  await offline.waitFor({ state: 'hidden' });
  assert.equal(await countOf(site.gateway, 'payments WHERE amount_minor = 7700'), 1);
  await page.context().close();
});

test('pays once if the answer to the form is lost', async () => {
  const session = await openSession(site.gateway, { amount: 7_800 });
  const page = await newPage(await openContext(browser));
  await page.goto(addressOf(site.gateway, session));
  let lost = 0;
  await page.route('**/pay/*', async (route) => {
    if (route.request().method() !== 'POST' || lost === 2) return route.fallback();
    lost += 1;
    await route.fetch({ maxRedirects: 0 });
    return route.abort('connectionreset');
  });
  await fill(page, '345');
  await page.locator('#pay button').click();
  await says(page, 'Pagamento concluído');
  assert.equal(lost, 2);
  assert.equal(await countOf(site.gateway, 'payments WHERE amount_minor = 7800'), 1);
  await page.context().close();
});

async function openConsole(path: string): Promise<Page> {
  const { cookie } = await site.signIn('OWNER');
  const context = await openContext(browser);
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}/${path}`);
  return page;
}
