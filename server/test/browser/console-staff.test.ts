/** Staff in a real browser: what merchants take in, who changed an account, and keys under four eyes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';
import { launchBrowser } from './browser.ts';
import { newPage, openContext, says } from './pages.ts';
import { signIn } from './walk.ts';

test('leads staff from the volume to a merchant and to who changed its account', async (context) => {
  const environment = { FOUR_EYES: 'live-keys', ZIMBO_ALLOW_LIVE_EMBEDDED: 'true' };
  const site = await testConsole(context, { environment });
  const { zimbo } = site.gateway;
  const order = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  await reach(zimbo.payments, (await zimbo.payments.create(order)).id, 'DEBITED');
  const { cookie, ...admin } = await site.signInStaff();
  const account = { currency: 'CVE', accountNumber: 'CV64000500000020108215144', holder: 'Loja' };
  const merchant = `merchants/${formatId('me', site.merchantId)}`;
  await admin.send(merchant, { action: 'bank-account', ...account });
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const browsing = await openContext(browser);
  await signIn(browsing, cookie, site.origin);
  const page = await newPage(browsing);
  await page.goto(`${site.origin}/console/staff?mode=test`);
  await says(page, '1.500,00 CVE');
  await page.getByRole('link', { name: 'Loja de teste' }).click();
  await page.locator('summary', { hasText: 'Criar chave' }).click();
  await says(page, 'Uma chave real precisa de duas pessoas do estabelecimento');
  assert.equal(await page.locator('#mode option[value=live]').count(), 0);
  await page.getByRole('link', { name: 'Quem alterou esta conta?' }).click();
  await says(page, 'Conta bancária alterada');
  await says(page, 'Maria Lopes');
  await page.getByLabel('Ação').fill('Estabelecimento criado');
  await page.getByRole('button', { name: 'Filtrar' }).click();
  await says(page, 'Nome: Loja de teste');
});
