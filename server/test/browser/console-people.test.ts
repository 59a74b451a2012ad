/** A shop's people in a real browser: a cashier by QR code, changing person by PIN, and five wrong PINs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { desktop, newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;
let owner: Member;

before(async () => {
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  owner = await site.signIn();
});
after(async () => {
  for (const step of undo) await step();
});

/** The shop's phone, with the owner signed in on it. */
async function shopPhone(): Promise<BrowserContext> {
  const context = await openContext(browser, { hasTouch: true, isMobile: true });
  const value = owner.cookie.replace('zimbo=', '');
  await context.addCookies([{ name: 'zimbo', value, url: site.origin }]);
  return context;
}

test('adds a cashier by QR code, who changes to themselves by PIN and only sees the till', async () => {
  const context = await shopPhone();
  const page = await newPage(context);
  await page.goto(`${site.origin}/console/account`);
  await page.getByLabel('PIN de 6 algarismos').fill('730462');
  await page.getByRole('button', { name: 'Guardar o PIN' }).tap();
  await says(page, 'O PIN foi guardado');
  await lookAt(page, 'console-account-till');
  const link = await qrLink(page);
  await joinAs(link, 'Rosa Tavares', '591837');
  await page.goto(`${site.origin}/console/account`);
  await page.getByRole('button', { name: /Usar como caixa de/ }).tap();
  await says(page, 'Quem está na caixa?');
  await lookAt(page, 'console-till-people');
  await changeTo(page, 'Rosa Tavares', '591837');
  await page.waitForURL(/\/live\/charge$/);
  const base = site.baseOf(site.merchantId);
  await page.goto(`${site.origin}${base}`);
  await page.waitForURL(/\/test\/charge$/);
  await lookAt(page, 'console-cashier');
  assert.equal(await page.getByRole('search').count(), 0);
  assert.equal((await page.goto(`${site.origin}${base}/payments`))!.status(), 403);
  await page.goto(`${site.origin}${base}/charge`);
  await page.locator('details.person summary').tap();
  await page.getByRole('link', { name: 'Mudar de pessoa' }).tap();
  await changeTo(page, 'Maria Lopes', '730462');
  await page.waitForURL(/\/live\/charge$/);
  // The owner too has till rights only.
  assert.equal((await page.goto(`${site.origin}${base}/team`))!.status(), 403);
  await page.goto(`${site.origin}/console/account`);
  await page.waitForURL(/\/console\/sign-in\?next=/);
  await context.close();
});

test('locks a PIN after five wrong ones', async () => {
  const context = await shopPhone();
  owner = await site.signIn();
  await context.addCookies([
    { name: 'zimbo', value: owner.cookie.replace('zimbo=', ''), url: site.origin },
  ]);
  const page = await newPage(context);
  await joinAs(await qrLink(page), 'Nilton Évora', '406183');
  await page.goto(`${site.origin}/console/account`);
  await page.getByRole('button', { name: /Usar como caixa de/ }).tap();
  for (const left of ['Restam 4', 'Restam 3', 'Restam 2', 'Resta uma']) {
    await changeTo(page, 'Nilton Évora', '000111');
    await says(page, left);
  }
  await lookAt(page, 'console-till-wrong');
  await changeTo(page, 'Nilton Évora', '000111');
  await says(page, 'O PIN desta pessoa está bloqueado');
  assert.ok(await page.getByRole('radio', { name: /Nilton Évora/ }).isDisabled());
  await lookAt(page, 'console-till-locked');
  await context.close();
});

/** Makes a QR code on the team page. @returns the link in it */
async function qrLink(page: Page): Promise<string> {
  await page.goto(`${site.origin}${site.base}/team`);
  await page.getByRole('button', { name: 'Criar código QR' }).click();
  await page.getByRole('img', { name: 'Código QR do convite' }).waitFor();
  await lookAt(page, 'console-team-qr');
  return page.locator('[data-copy]').first().getAttribute('data-copy') as Promise<string>;
}

/** Opens the link on the person's own phone, and chooses a PIN there. */
async function joinAs(link: string, name: string, pin: string): Promise<void> {
  const page = await newPage(await openContext(browser));
  await page.goto(link);
  await page.getByLabel('O seu nome').fill(name);
  await page.getByLabel('PIN de 6 algarismos').fill(pin);
  await lookAt(page, 'console-invitation-qr');
  await page.getByRole('button', { name: 'Guardar o PIN' }).click();
  await says(page, 'Está tudo pronto');
  assert.equal((await page.goto(link))!.status(), 404, 'works once');
  await page.context().close();
}

async function changeTo(page: Page, name: string, pin: string): Promise<void> {
  await page.getByRole('radio', { name }).check();
  await page.getByLabel('PIN de 6 algarismos').fill(pin);
  await page.getByRole('button', { name: 'Continuar' }).click();
}

test('shows owners who may do what, and lets them put a role together', async () => {
  const context = await openContext(browser, { viewport: desktop });
  owner = await site.signIn();
  await context.addCookies([
    { name: 'zimbo', value: owner.cookie.replace('zimbo=', ''), url: site.origin },
  ]);
  const page = await newPage(context);
  await page.goto(`${site.origin}${site.base}/team`);
  await page.getByRole('link', { name: 'Quem pode fazer o quê' }).click();
  await page.getByRole('link', { name: 'Nova função' }).click();
  await page.getByLabel('Nome da função').fill('Gerente de turno');
  await page.getByLabel('Cobrar a um cliente').check();
  await page.getByLabel('Reembolsar').check();
  await lookAt(page, 'console-role');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await says(page, 'A função foi criada');
  await lookAt(page, 'console-roles');
  const row = page.getByRole('row', { name: /^Reembolsar/ });
  assert.equal(await row.getByRole('img', { name: 'Sim' }).count(), 4);
  await context.close();
});
