/** A newcomer's first five minutes: `zimbo start`, the printed link, and then the words on the screen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutTerminal } from '../support/terminal.ts';
import { launchBrowser } from './browser.ts';
import { endsWell, linkIn, newcomer, newcomersGateway, walkOf } from './newcomer.ts';
import { says } from './pages.ts';

test('guides a newcomer from the first start to a refunded payment and its receipt', {
  skip: skipWithoutTerminal,
}, async (context) => {
  const gateway = await newcomersGateway(context);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const { page, complaints } = await newcomer(browser, { viewport: { width: 390, height: 844 } });
  const { press, look } = walkOf(page);

  await page.goto(linkIn(gateway.printed()));
  await look('welcome');
  await press('Entrar na loja de demonstração');
  await says(page, 'Nenhum pagamento neste período');
  await look('home');
  await page.getByRole('link', { name: 'Cobrar a um cliente' }).click();

  for (const key of ['1', '5', '0', '0']) await press(key);
  await press('991 23 45 paga');
  await look('till');
  await press('Cobrar 1.500,00 CVE');
  // On a busy machine, the payment may be paid before anybody looks.
  await says(page, /^(À espera do cliente|Pago)$/);
  await look('waiting');
  await says(page, /^Pago$/);
  await says(page, '1.500,00 CVE');
  await look('paid');

  await page.getByRole('link', { name: 'Ver o pagamento' }).click();
  await page.getByRole('link', { name: 'Reembolsar' }).click();
  assert.equal(await page.getByLabel('Valor (CVE)').inputValue(), '1500,00', 'all of it');
  await look('refund');
  await press('Reembolsar');
  await says(page, 'O reembolso está feito');
  await says(page, /^Reembolsado$/);
  await look('refunded');

  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Ver recibo' }).click();
  const receipt = await opened;
  await says(receipt, /^Reembolsado$/);
  await walkOf(receipt).look('receipt');
  assert.deepEqual(complaints, []);
  await page.context().close();
  await endsWell(gateway);
});
