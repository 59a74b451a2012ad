/**
 * Single sign-on in a real browser with a real provider: sign-in, reauthentication, and loss of
 * access within a minute of removal at the provider.
 */
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type SignOnWorld, signOnWorld } from '../support/sign-on-world.ts';
import { invitationTo } from '../support/stranger.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let world: SignOnWorld;
let browser: Browser;

describe('single sign-on in a browser', () => {
  before(async () => {
    world = await signOnWorld({
      after: (step: unknown) => void undo.unshift(step as () => unknown),
    });
    browser = await launchBrowser();
    undo.unshift(() => browser.close());
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('joins, reauthenticates, signs in again, and loses access', async () => {
    const { site, provider } = world;
    world.known('rosa');
    const page = await newPage(await openContext(browser));
    const go = page.getByRole('button', { name: 'Continuar com Banco da Praia' });
    const sayWho = async () => {
      await page.getByLabel('Name').fill('rosa');
      await page.getByRole('button', { name: 'Enter' }).click();
    };
    await page.goto(`${site.origin}${await invitationTo(site, 'rosa@loja.cv')}`);
    await lookAt(page, 'console-sign-on-invitation');
    await go.click();
    await sayWho();
    await page.waitForURL(/\/live$/);
    await world.later('rosa', 3_600, 'reauthenticated_at');
    await page.goto(`${site.origin}/console/prove?next=/console/account`);
    await lookAt(page, 'console-sign-on-prove');
    await go.click();
    await sayWho();
    await page.waitForURL(/\/console\/account$/);
    await page.getByRole('button', { name: 'Ligar a Banco da Praia' }).waitFor();
    await lookAt(page, 'console-sign-on-account');
    await page.getByRole('button', { name: 'Terminar sessão' }).click();
    await says(page, 'Terminou a sessão.');
    await page.goto(`${site.origin}/console/account`);
    await go.click();
    await page.waitForURL(/\/console\/account$/);
    provider.people.delete('rosa');
    await world.later('rosa', 46, 'sso_asked_at', 'sso_reached_at');
    await page.reload();
    await page.waitForURL(/\/console\/sign-in/);
    await lookAt(page, 'console-sign-on-sign-in');
    await page.context().close();
  });
});
