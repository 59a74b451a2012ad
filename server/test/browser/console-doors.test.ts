/**
 * Sign-in to the console in a real browser, with a passkey and with a password, checked by axe,
 * with pictures.
 */
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { makeFirstLink } from '../../src/tenants/people/first-sign-in-link.ts';
import { codeNow } from '../../src/tenants/people/one-time-codes.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { goodPassword } from '../support/people.ts';
import { invitationTo } from '../support/stranger.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

describe('the doors of the console in a browser', { concurrency: 2 }, () => {
  before(async () => {
    site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
    browser = await launchBrowser();
    undo.unshift(() => browser.close());
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('with a passkey: joins, signs out, signs in, reauthenticates', passkey);
  test('with a password and codes: joins, signs out, signs in, opens the team', password);
  test('opens the demo shop by the first link', firstLink);
  test('keeps the demo owner who sets a password, and invites a colleague later', firstDay);
});

async function passkey(): Promise<void> {
  const page = await openPage();
  await addAuthenticator(page);
  await page.goto(`${site.origin}${await invitationTo(site, 'rosa@loja.cv')}`);
  await lookAt(page, 'console-invitation');
  await page.getByLabel('O seu nome').fill('Rosa Tavares');
  await page.getByRole('button', { name: 'Criar uma chave de acesso' }).click();
  await page.waitForURL(/\/live$/);
  await page.goto(`${site.origin}/console/account`);
  await says(page, 'Chaves de acesso');
  await lookAt(page, 'console-account-passkey');
  await page.getByText('Alterar o nome', { exact: true }).click();
  await lookAt(page, 'console-account-rename');
  await page.getByLabel('Nome da chave').fill('Caixa');
  await page.locator('button[value=rename-passkey]').click();
  await says(page, 'A chave de acesso tem um novo nome.');
  // Enter requests a passkey like the button; this device already has one.
  await page.getByLabel('Nome da nova chave').fill('Telemóvel');
  await page.getByLabel('Nome da nova chave').press('Enter');
  await says(page, 'não foi criada');
  await page.getByRole('button', { name: 'Terminar sessão' }).click();
  await says(page, 'Terminou a sessão.');
  await page.goto(`${site.origin}/console/account`);
  await lookAt(page, 'console-sign-in');
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await page.waitForURL(/\/console\/account$/);
  await site.gateway.database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'
      WHERE person_id = (SELECT id FROM people WHERE email = 'rosa@loja.cv')`,
  });
  await page.reload();
  await lookAt(page, 'console-account-locked');
  await page.getByRole('link', { name: 'Confirmar a identidade' }).click();
  await lookAt(page, 'console-prove');
  await page.getByRole('button', { name: 'Confirmar com chave de acesso' }).click();
  await page.getByRole('button', { name: 'Acrescentar chave de acesso' }).waitFor();
  await page.context().close();
}

async function password(): Promise<void> {
  const page = await openPage();
  await page.goto(`${site.origin}${await invitationTo(site, 'maria@loja.cv')}`);
  await page.getByLabel('O seu nome').fill('Maria Lopes');
  await page.getByText('Prefiro palavra-passe e códigos').click();
  await lookAt(page, 'console-invitation-password');
  const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '');
  const codeIn = (steps: number) => codeNow(secret, systemClock.nowMs() + steps * 30_000);
  await page.getByLabel('Nova palavra-passe').fill('curta');
  await page.getByLabel('O código que a aplicação').fill(codeIn(0));
  await page.getByRole('button', { name: 'Continuar com palavra-passe' }).click();
  await says(page, 'tem de ter entre 12 e 200');
  await lookAt(page, 'console-invitation-mistake');
  await page.getByLabel('Nova palavra-passe').fill(goodPassword);
  await page.getByLabel('O código que a aplicação').fill(codeIn(0));
  await page.getByRole('button', { name: 'Continuar com palavra-passe' }).click();
  await says(page, 'Guarde os seus códigos');
  await lookAt(page, 'console-recovery-codes');
  await page.goto(`${site.origin}/console/account`);
  await lookAt(page, 'console-account-password');
  await page.getByRole('button', { name: 'Terminar sessão' }).click();
  await page.getByLabel('E-mail').fill('maria@loja.cv');
  await page.getByLabel('Palavra-passe').fill('errada errada errada');
  await page.getByLabel('Código').fill('000000');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await says(page, 'não estão certos');
  await lookAt(page, 'console-sign-in-wrong');
  await page.goto(`${site.origin}${site.base}/team`);
  await page.getByLabel('E-mail').fill('maria@loja.cv');
  await page.getByLabel('Palavra-passe').fill(goodPassword);
  await page.getByLabel('Código').fill(codeIn(1));
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await says(page, 'Convidar alguém');
  await page.getByLabel('E-mail').fill('rui@loja.cv');
  await page.getByRole('button', { name: 'Criar link de convite' }).click();
  await says(page, 'Envie este link');
  await lookAt(page, 'console-team-invited');
  await page.context().close();
}

async function firstLink(): Promise<void> {
  const own = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  const { merchantId, origin: consoleUrl } = own;
  const given = { database: own.gateway.database, clock: systemClock, ids: randomIds() };
  const page = await openPage();
  await page.goto((await makeFirstLink(given, { merchantId, consoleUrl }))!);
  await lookAt(page, 'console-welcome');
  await page.getByRole('button', { name: 'Entrar na loja' }).click();
  await page.waitForURL(/\/test$/);
  await page.context().close();
}

async function firstDay(): Promise<void> {
  const own = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  const { merchantId, origin: consoleUrl } = own;
  const { database } = own.gateway;
  const given = { database, clock: systemClock, ids: randomIds() };
  const page = await openPage();
  await page.goto((await makeFirstLink(given, { merchantId, consoleUrl }))!);
  await says(page, 'Ficar com esta conta');
  await page.getByText('Prefiro palavra-passe e códigos').click();
  await lookAt(page, 'console-welcome-password');
  const secret = (await page.locator('.secret').innerText()).replaceAll(' ', '');
  const codeIn = (steps: number) => codeNow(secret, systemClock.nowMs() + steps * 30_000);
  const fill = async (text: string) => {
    await page.getByLabel('Nova palavra-passe').fill(text);
    await page.getByLabel('O código que a aplicação').fill(codeIn(0));
    await page.getByRole('button', { name: 'Entrar com palavra-passe' }).click();
  };
  await fill('curta');
  await says(page, 'tem de ter entre 12 e 200');
  await fill(goodPassword);
  await says(page, 'Guarde os seus códigos');
  await page.getByRole('link', { name: 'Já os guardei' }).click();
  await says(page, 'Os próximos passos');
  const files = await page.evaluate(`[...document.scripts].map(({ src }) => src).join(' ')`);
  if (String(files).includes('uplot')) throw new Error('a home without charts loads their library');
  await database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'`,
  });
  await page.getByRole('link', { name: 'Convide um colega' }).click();
  await page.getByLabel('E-mail').fill('rui@loja.cv');
  await page.getByRole('button', { name: 'Criar link de convite' }).click();
  await page.getByLabel('Palavra-passe').fill(goodPassword);
  await page.getByLabel('Código').fill(codeIn(1));
  await page.getByRole('button', { name: 'Confirmar', exact: true }).click();
  await page.getByLabel('E-mail').fill('rui@loja.cv');
  await page.getByRole('button', { name: 'Criar link de convite' }).click();
  await says(page, 'Envie este link');
  await page.goto(`${own.origin}${own.base}`);
  await page.locator('.steps .done', { hasText: 'Convide um colega' }).waitFor();
  await page.context().close();
}

async function openPage(): Promise<Page> {
  return newPage(await openContext(browser));
}

/** A device that asks for a finger, and gets it. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
