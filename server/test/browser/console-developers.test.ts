/** Creates and revokes a key in a real browser, for states that no address leads to. */
import { test } from 'node:test';
import { testConsole } from '../support/console.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext } from './pages.ts';
import { signIn } from './walk.ts';

test('shows a new key once, and expands its revocation', async (context) => {
  const site = await testConsole(context);
  const { cookie } = await site.signIn();
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const browsing = await openContext(browser);
  await signIn(browsing, cookie, site.origin);
  const page = await newPage(browsing);
  const open = (path: string) => page.goto(`${site.origin}${site.base}/${path}`);
  await open('keys/new');
  await page.getByLabel('Nome', { exact: true }).fill('caixa 3');
  await page.getByLabel('Nome', { exact: true }).press('Enter');
  await page.getByText('A nova chave').waitFor();
  await lookAt(page, 'console-made-key');
  await open('keys');
  await page.getByRole('link', { name: 'caixa 3' }).click();
  await page.getByText('Revogar…').click();
  await lookAt(page, 'console-key');
});
