/** A shopkeeper sends money from the balance to a wallet, on a phone, and takes it back in time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../src/tenants/people/permissions.ts';
import { countOf } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { fund } from '../support/disbursing.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

before(async () => {
  const environment = {
    ZIMBO_ROLE: 'api',
    DISBURSEMENT_FEE_MOCK: '100+50',
  };
  const context = { after: (step: () => unknown) => undo.unshift(step) };
  site = await testConsole(context as Parameters<typeof testConsole>[0], { environment });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  const { database } = site.gateway;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
  await fund(database, tenant!.id, 1_000_000);
});
after(async () => {
  for (const step of undo) await step();
});

test('sends money on a phone: form, summary, and the page of what was sent', async () => {
  const page = await open('FINANCE', 'disbursements');
  await lookAt(page, 'disbursements-empty');
  await page.getByRole('link', { name: 'Enviar dinheiro' }).click();
  await says(page, 'Disponível para enviar: 10.000,00 CVE');
  await lookAt(page, 'disbursement-new');
  await fill(page, '1.500');
  await page.getByLabel('Referência').fill('salario-11');
  await page.getByLabel('Descrição').fill('Salário da Nádia');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('heading', { name: 'Confirme o envio' }).waitFor();
  assert.deepEqual(await factsOf(page), {
    Para: '+238 991 23 45',
    Operador: 'Simulador',
    Referência: 'salario-11',
    Descrição: 'Salário da Nádia',
    Valor: '1.500,00 CVE',
    Comissão: '15,50 CVE',
    'Sai do saldo': '1.515,50 CVE',
    'Saldo depois do envio': '8.484,50 CVE',
  });
  await lookAt(page, 'disbursement-summary');
  await page.getByRole('button', { name: 'Ver o titular' }).click();
  await page.getByText('T••• d••• T•••').waitFor();
  await lookAt(page, 'disbursement-holder');
  assert.equal(await sentSoFar(), 0, 'nothing is sent before the confirmation');
  await page.getByRole('button', { name: 'Enviar agora' }).dblclick();
  await page.waitForURL(/disbursements\/di_\w+/);
  await says(page, 'Segue agora para o operador.');
  await says(page, '+238 ••• •• 45');
  assert.equal(await sentSoFar(), 1, 'two taps send once');
  await lookAt(page, 'disbursement');
  await page.goto(`${site.origin}${site.base}/disbursements`);
  await page.getByRole('cell', { name: 'salario-11' }).waitFor();
  await lookAt(page, 'disbursements');
  await page.context().close();
});

test('goes back from the summary with everything as it was typed', async () => {
  const page = await open('FINANCE', 'disbursements/new');
  await fill(page, '12,50');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Alterar' }).click();
  await page.getByRole('button', { name: 'Continuar' }).waitFor();
  assert.equal(await page.locator('#amount').inputValue(), '12,50');
  assert.equal(await page.locator('#phone').inputValue(), '991 23 45');
  await page.context().close();
});

test('cancels what has not been sent yet, and the money is back', async () => {
  const page = await open('FINANCE', 'disbursements/new', { javaScriptEnabled: false });
  await fill(page, '20');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Enviar agora' }).click();
  const before = await available(page);
  await page.goBack();
  await page.getByRole('button', { name: 'Cancelar este envio' }).click();
  await says(page, 'O envio foi cancelado. O dinheiro voltou ao saldo.');
  assert.equal((await available(page)).toFixed(2), (before + 20.7).toFixed(2));
  await page.context().close();
});

test('says at the amount how much is available', async () => {
  const page = await open('FINANCE', 'disbursements/new');
  const left = await available(page);
  await page.goto(`${site.origin}${site.base}/disbursements/new`);
  await fill(page, String(Math.floor(left)));
  await page.getByRole('button', { name: 'Continuar' }).click();
  const error = page.locator('#amount-error');
  await error.waitFor();
  assert.match(
    await error.innerText(),
    /O saldo não chega: tem [\d.,]+ CVE disponíveis, e a comissão/,
  );
  await lookAt(page, 'disbursement-too-little');
  await page.context().close();
});

test('sends to many people from a file, after everything in it is right', async () => {
  const page = await open('FINANCE', 'disbursements');
  const left = await available(page);
  await page.goto(`${site.origin}${site.base}/disbursements`);
  await page.getByRole('link', { name: 'Enviar a muitas pessoas' }).click();
  await page.getByRole('heading', { name: 'Enviar a muitas pessoas' }).waitFor();
  await lookAt(page, 'disbursement-upload');
  const choose = async (lines: string[]) => {
    const text = ['operador;telefone;valor;referência;descrição', ...lines].join('\r\n');
    const file = { name: 'envios.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('Ficheiro CSV').setInputFiles(file);
    await page.getByRole('button', { name: 'Verificar o ficheiro' }).click();
  };
  await page.getByLabel('Nome').fill('Salários de novembro');
  await choose(['Simulador;991 23 45;abc;;', 'Orange;12;10,00;;']);
  await says(page, 'Há 3 valores a corrigir, e nada foi enviado.');
  await lookAt(page, 'disbursement-upload-wrong');
  assert.equal(await page.getByLabel('Nome').inputValue(), 'Salários de novembro');
  await choose([
    'Simulador;991 23 45;10,00;sal-1;=SUM(A1:A9)',
    'Simulador;991 23 46;20,00;sal-2;<img src=x onerror=alert(1)>',
  ]);
  await page.getByRole('heading', { name: 'Confirme os envios' }).waitFor();
  const { 'Saldo depois do envio': after, ...facts } = await factsOf(page);
  assert.equal(amountIn(after!).toFixed(2), (left - 31.3).toFixed(2));
  assert.deepEqual(facts, {
    Envios: '2',
    Valor: '30,00 CVE',
    Comissão: '1,30 CVE',
    'Sai do saldo': '31,30 CVE',
  });
  await lookAt(page, 'disbursement-upload-summary');
  await page.getByRole('button', { name: 'Enviar tudo agora' }).dblclick();
  await page.waitForURL(/batches\/dib_\w+/);
  await says(page, 'O lote foi pedido.');
  await lookAt(page, 'disbursement-batch');
  assert.equal(await countOf(site.gateway, 'disbursement_batches'), 1, 'two taps send once');
  await page.getByRole('button', { name: 'Cancelar o que falta' }).click();
  await says(page, 'O que ainda não tinha sido entregue foi cancelado.');
  await page.goto(`${site.origin}${site.base}/disbursements/batches`);
  await page.getByRole('cell', { name: 'Salários de novembro' }).waitFor();
  await lookAt(page, 'disbursement-batches');
  await page.context().close();
});

test('shows nothing of it to a person without the permission', async () => {
  const page = await open('SUPPORT', '');
  assert.equal(await page.getByRole('link', { name: 'Envios' }).count(), 0);
  for (const path of ['disbursements', 'disbursements/new']) {
    const answer = await page.goto(`${site.origin}${site.base}/${path}`);
    assert.equal(answer?.status(), 403, path);
  }
  await page.context().close();
  const viewer = await open('VIEWER', 'disbursements');
  await viewer.getByRole('cell', { name: 'salario-11' }).waitFor();
  assert.equal(await viewer.getByRole('link', { name: 'Enviar dinheiro' }).count(), 0);
  await viewer.context().close();
});

test('offers the limits of a key once it may disburse, with errors at the field', async () => {
  const page = await open('DEVELOPER', 'keys/new');
  const limit = page.getByLabel('Máximo por envio');
  const permission = page.getByLabel('Enviar dinheiro do saldo');
  await limit.waitFor();
  await permission.uncheck();
  assert.equal(await limit.isVisible(), false);
  await permission.check();
  await page.getByLabel('Nome').fill('salarios');
  await limit.fill('mil');
  await page.getByLabel('Máximo de envios por dia').fill('5000');
  await page.getByRole('button', { name: 'Criar chave' }).click();
  await page.locator('#maxDisbursement-error').waitFor();
  await lookAt(page, 'key-new-disbursing');
  await page.goto(`${page.url()}?lang=en`);
  await page.getByLabel('Limit per disbursement').fill('250.50');
  await page.getByLabel('Daily disbursement limit').fill('5000');
  await lookAt(page, 'key-new-disbursing-en');
  await page.getByRole('button', { name: 'Create key' }).click();
  await says(page, /sk_test_/);
  await page.context().close();
});

async function open(role: Role, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { cookie } = await site.signIn(role);
  const context = await openContext(browser, options);
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}/${path}`);
  return page;
}

async function fill(page: Page, amount: string): Promise<void> {
  await page.locator('#amount').fill(amount);
  await page.locator('#phone').fill('991 23 45');
  await page.locator('input[value=MOCK]').check();
}

const sentSoFar = () => countOf(site.gateway, 'disbursements');

/** The names and values of a card. */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const rows = page.locator('.facts > div');
  const texts = await rows.evaluateAll((shown) =>
    shown.map((row) => [...row.children].map((each) => (each.textContent ?? '').trim())),
  );
  return Object.fromEntries(
    texts.map(([name, value]) => [name!, value!.replaceAll('\u00a0', ' ')]),
  );
}

/** What the page to send money says. */
async function available(page: Page): Promise<number> {
  await page.goto(`${site.origin}${site.base}/disbursements/new`);
  const text = await page.locator('form .amount').first().innerText();
  return amountIn(text);
}

const amountIn = (text: string) => Number(text.replace(/[^\d,]/g, '').replace(',', '.'));
