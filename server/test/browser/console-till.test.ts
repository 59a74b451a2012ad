/** The till and the payment links in a real browser: on a phone, on a bad line, and by keyboard. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { changeBrand } from '../../src/tenants/merchants/brand.ts';
import { countOf, openSession } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { launchBrowser } from './browser.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

before(async () => {
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  for (const [name, price] of [
    ['Cachupa rica', 45_000],
    ['Pastel com diabo dentro', 6_000],
    ['Sumo de tamarindo <b>‮', 15_000],
  ] as const) {
    await site.gateway.zimbo.products.create({ name, price });
  }
});
after(async () => {
  for (const step of undo) await step();
});

test('charges a customer by touch, and shows the result automatically', async () => {
  const page = await openPage('charge', { hasTouch: true, isMobile: true });
  assert.equal(await page.locator('#amount').getAttribute('inputmode'), 'none');
  for (const key of ['1', '2', '3', '4', ',', '5']) {
    await page.getByRole('button', { name: key, exact: true }).tap();
  }
  assert.equal(await page.locator('#amount').inputValue(), '1.234,5');
  await says(page, 'Cobrar 1.234,50 CVE');
  await page.locator('#phone').fill('991 23 45');
  assert.ok(await page.locator('input[value=CVMOVEL]').isChecked(), 'suggested by the prefix');
  await page.locator('input[value=MOCK]').check();
  await charge(page).tap();
  await paid(page);
  await says(page, '1.234,50 CVE');
  await page.context().close();
});

test('charges a basket: its products are on the payment, the page and the receipt', async () => {
  const page = await openPage('charge', { hasTouch: true, isMobile: true });
  await page.locator('summary', { hasText: 'Escolher produtos' }).tap();
  await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).tap();
  await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).tap();
  await page.getByRole('button', { name: 'Mais um: Pastel com diabo dentro' }).tap();
  await page.getByRole('button', { name: 'Mais um: Pastel com diabo dentro' }).tap();
  await page.getByRole('button', { name: 'Menos um: Pastel com diabo dentro' }).tap();
  assert.equal(await page.locator('#amount').inputValue(), '960,00');
  await page.locator('#phone').fill('9912345');
  await page.locator('input[value=MOCK]').check();
  await charge(page).tap();
  await paid(page);
  const basket = '1 × Pastel com diabo dentro, 2 × Cachupa rica';
  await says(page, basket);
  const { description } = await latestPayment();
  assert.equal(description, basket);
  const receipt = await page.getByRole('link', { name: 'Ver recibo' }).getAttribute('href');
  await page.goto(receipt!.replace(/^https?:\/\/[^/]+/, site.gateway.url));
  await says(page, basket);
  await page.context().close();
});

test('fits the till with its button on one small screen', async () => {
  const viewport = { width: 360, height: 640 };
  const page = await openPage('charge', { hasTouch: true, isMobile: true, viewport });
  for (const part of [charge(page), page.locator('[data-key="0"]'), page.locator('#phone')]) {
    const box = (await part.boundingBox())!;
    assert.ok(box.y >= 0 && box.y + box.height <= viewport.height, `${box.y} + ${box.height}`);
  }
  await page.context().close();
});

test('keeps the basket over a look at another page', async () => {
  const page = await openPage('charge');
  await page.locator('summary', { hasText: 'Escolher produtos' }).click();
  await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).click();
  await page.goto(`${site.origin}${site.base}/payments`);
  await page.goto(`${site.origin}${site.base}/charge`);
  assert.equal(await page.locator('#amount').inputValue(), '450,00');
  assert.ok(await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).isVisible());
  await page.locator('[data-key=clear]').click();
  await page.reload();
  assert.equal(await page.locator('#amount').inputValue(), '');
  await page.context().close();
});

test('keeps the basket if the session has ended meanwhile', async () => {
  const page = await openPage('charge');
  await page.locator('summary', { hasText: 'Escolher produtos' }).click();
  await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).click();
  await page.locator('#phone').fill('9912345');
  await page.locator('input[value=MOCK]').check();
  await page.context().clearCookies();
  await charge(page).click();
  await page.waitForURL(/sign-in/);
  await signIn(page);
  await page.goto(`${site.origin}${site.base}/charge`);
  assert.equal(await page.locator('#amount').inputValue(), '450,00');
  assert.ok(await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).isVisible());
  await page.context().close();
});

test('takes an amount typed in either notation for what the person meant', async () => {
  for (const [lang, notations] of [
    ['pt', { '15,00': ['15', '15.00', '15,00'], '1.500,50': ['1500.50', '1,500.50', '1.500,50'] }],
    ['en', { '15.00': ['15', '15.00', '15,00'], '1,500.50': ['1500.50', '1,500.50', '1.500,50'] }],
  ] as const) {
    const page = await openPage(`charge?lang=${lang}&currency=CVE`);
    const [field, total] = [page.locator('#amount'), page.locator('#total')];
    for (const [meant, texts] of Object.entries(notations)) {
      for (const text of texts) {
        await field.fill('');
        await field.pressSequentially(text);
        assert.equal(await total.textContent(), `${meant} CVE`, `${text} typed in ${lang}`);
        await field.fill(text);
        assert.equal(await total.textContent(), `${meant} CVE`, `${text} pasted in ${lang}`);
      }
    }
    await page.context().close();
  }
});

test('groups the thousands of an amount while somebody corrects it', async () => {
  const page = await openPage('charge');
  const field = page.locator('#amount');
  await field.pressSequentially('12345');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', '9']) await field.press(key);
  assert.equal(await field.inputValue(), '129.345');
  await field.press('Backspace');
  await field.press('Backspace');
  assert.equal(await field.inputValue(), '1.345');
  await field.press('End');
  await field.pressSequentially(',5');
  await says(page, 'Cobrar 1.345,50 CVE');
  await page.context().close();
});

test('corrects a wrong number: cancels the charge, and offers the same basket again', async () => {
  const page = await openPage('charge');
  await page.locator('summary', { hasText: 'Escolher produtos' }).click();
  await page.getByRole('button', { name: 'Mais um: Cachupa rica' }).click();
  // The simulated customer of this number never answers.
  await page.locator('#phone').fill('9912109');
  await page.locator('input[value=MOCK]').check();
  await charge(page).click();
  await says(page, 'Faltam');
  const waiting = page.url();
  await page.getByRole('button', { name: 'Número errado' }).click();
  await says(page, 'Cobrar 450,00 CVE');
  assert.equal(await page.locator('#phone').inputValue(), '+2389912109');
  assert.equal(await page.locator('.stepper input').first().inputValue(), '1');
  await page.goto(waiting);
  await says(page, 'Não pago');
  await page.context().close();
});

test('charges the next customer while one has not answered yet', async () => {
  const page = await openPage('charge');
  await page.locator('#amount').fill('431');
  await page.locator('#phone').fill('9912109');
  await page.locator('input[value=MOCK]').check();
  await charge(page).click();
  await page.getByRole('link', { name: 'Nova cobrança' }).click();
  const queue = page.locator('.queue');
  await queue.getByText('431,00 CVE').waitFor();
  await fill(page, '432');
  await charge(page).click();
  await paid(page);
  await queue.getByText('431,00 CVE').click();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await says(page, 'O pagamento foi cancelado.');
  await page.context().close();
});

test('begins a new amount with the first key after a charge that failed', async () => {
  const page = await openPage('charge', { hasTouch: true, isMobile: true });
  await page.locator('#amount').fill('500');
  await page.locator('#phone').fill('9912049');
  await page.locator('input[value=MOCK]').check();
  await charge(page).tap();
  await page.getByRole('link', { name: 'Tentar de novo' }).tap();
  assert.equal(await page.locator('#amount').inputValue(), '500,00');
  for (const key of ['7', '5']) await page.getByRole('button', { name: key, exact: true }).tap();
  assert.equal(await page.locator('#amount').inputValue(), '75');
  await page.context().close();
});

test('addresses the receipt to the phone that was charged', async () => {
  const page = await openPage('charge');
  await fill(page, '433');
  await charge(page).click();
  await paid(page);
  const whatsApp = page.getByRole('link', { name: 'WhatsApp' });
  assert.match((await whatsApp.getAttribute('href'))!, /^https:\/\/wa\.me\/2389912345\?text=/);
  await page.getByRole('link', { name: 'Ver o pagamento' }).click();
  assert.match((await whatsApp.getAttribute('href'))!, /^https:\/\/wa\.me\/2389912345\?text=/);
  await page.context().close();
});

test('closes the day: counts by operator, and keeps the difference', async () => {
  const page = await openPage('charge');
  await fill(page, '434');
  await charge(page).click();
  await paid(page);
  await page.goto(`${site.origin}${site.base}/sales`);
  const received = page.locator('form td[data-head=Recebido]');
  const minor = Number((await received.innerText()).replace(/\D/g, ''));
  await page.locator('input.counted').fill(String((minor - 400) / 100).replace('.', ','));
  await page.getByRole('button', { name: 'Fechar o dia' }).click();
  await says(page, 'O dia ficou fechado.');
  await page.locator('td[data-head=Diferença]', { hasText: '−4,00 CVE' }).waitFor();
  await page.context().close();
});

test('repeats the form over a broken connection until an answer arrives, and charges once', async () => {
  const page = await openPage('charge');
  await fill(page, '77');
  await page.context().setOffline(true);
  await charge(page).click();
  await says(page, 'Sem ligação. A tentar de novo…');
  await page.context().setOffline(false);
  await paid(page);
  assert.equal(await countOf(site.gateway, 'payments WHERE amount_minor = 7700'), 1);
  await page.context().close();
});

test('leads to the same payment after a lost answer', async () => {
  const page = await openPage('charge');
  let lost = 0;
  await page.route('**/charge', async (route) => {
    if (route.request().method() !== 'POST' || lost === 2) return route.fallback();
    lost += 1;
    await route.fetch({ maxRedirects: 0 });
    return route.abort('connectionreset');
  });
  await fill(page, '78');
  await charge(page).click();
  await says(page, 'Sem ligação. A tentar de novo…');
  await paid(page);
  assert.equal(lost, 2);
  assert.equal(await countOf(site.gateway, 'payments WHERE amount_minor = 7800'), 1);
  await page.context().close();
});

test('corrects a mistake and charges by keyboard alone', async () => {
  const page = await openPage('charge');
  await page.locator('#amount').focus();
  await page.keyboard.type('1,5,0');
  await page.locator('#phone').focus();
  await page.keyboard.type('9912345');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await says(page, 'Escreva o valor assim');
  await page.waitForFunction(`document.activeElement.id === 'amount'`);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('15');
  await page.keyboard.press('Enter');
  await paid(page);
  await page.context().close();
});

test('shows on the till a link paid on another phone', async () => {
  const page = await openPage('charge');
  await page.locator('#amount').fill('300');
  await page.getByRole('button', { name: 'QR ou link' }).click();
  await says(page, 'O cliente aponta a câmara');
  const address = await page.locator('[data-copy]').getAttribute('data-copy');
  await page.evaluate(`
    navigator.share = async ({ url }) => { window.shared = url; };
    document.dispatchEvent(new CustomEvent('refreshed'));`);
  await page.getByRole('button', { name: 'Partilhar' }).click();
  assert.equal(await page.evaluate('shared'), address);
  const customer = await newPage(await openContext(browser));
  await customer.goto(`${site.gateway.url}${new URL(address!).pathname}`);
  await customer.locator('#phone').fill('9912345');
  await customer.locator('input[value=MOCK]').check();
  await customer.locator('form button').click();
  await page.locator('.result[data-state=paid]').waitFor();
  await customer.context().close();
  await page.context().close();
});

test('prints any poster on one sheet of A4', async () => {
  const { database } = site.gateway;
  const colour = { colour: '#aa3300', logo: wideLogo };
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const page = await openPage('links');
  const print = async (given: object, path = 'poster') => {
    const { id } = await openSession(site.gateway, given);
    await page.goto(`${site.origin}${site.base}/links/${id}/${path}`);
    return sheetsOf(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  };
  const a4 = ['595 × 842'];
  const long = `${'Mensalidade de novembro '.repeat(11)}`.slice(0, 255);
  const widest = 'W'.repeat(255);
  for (const name of ['Loja', 'Associação dos Moradores do Bairro '.repeat(7), 'W'.repeat(255)]) {
    await database.query({ text: 'UPDATE merchants SET name = $1' }, [name.trim()]);
    for (const brand of [{ colour: null, logo: null }, colour]) {
      await changeBrand(dependencies, site.merchantId, brand);
      for (const given of [
        {},
        { description: long },
        { description: widest, amount: 100_000_000 },
      ]) {
        assert.deepEqual(
          await print({ amount: 250_000, ...given }),
          a4,
          `${name} ${given.description}`,
        );
      }
    }
    assert.deepEqual(await print({ description: long }, 'poster?lang=en'), a4);
  }
  await page.context().close();
});

const wideLogo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="900" height="900"/></svg>',
);

/** The sizes of a PDF's pages, in points. */
const sheetsOf = (pdf: Buffer): string[] =>
  [
    ...pdf
      .toString('latin1')
      .matchAll(/\/Type\s*\/Page\b[\s\S]*?\/MediaBox\s*\[0 0 (\S+) (\S+)\]/g),
  ].map(([, width, height]) => `${Math.round(Number(width))} × ${Math.round(Number(height))}`);

async function latestPayment() {
  for await (const payment of site.gateway.zimbo.payments.list({ limit: 1 })) return payment;
  throw new Error('there is no payment');
}

const charge = (page: Page) => page.locator('button[value=charge].primary');
const paid = (page: Page) => page.locator('.result[data-state=paid]').waitFor();

async function openPage(
  path: string,
  options: Parameters<typeof openContext>[1] = {},
): Promise<Page> {
  const context: BrowserContext = await openContext(browser, options);
  const page = await newPage(context);
  await signIn(page);
  await page.goto(`${site.origin}${site.base}/${path}`);
  return page;
}

async function signIn(page: Page): Promise<void> {
  const { cookie } = await site.signIn('OWNER');
  const [name, value] = cookie.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: site.origin }]);
}

async function fill(page: Page, amount: string): Promise<void> {
  await page.locator('#amount').fill(amount);
  await page.locator('#phone').fill('9912345');
  await page.locator('input[value=MOCK]').check();
}
