/** A newcomer's first charge, refund and receipt by keyboard alone; the customer needs a second request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { skipWithoutTerminal } from '../support/terminal.ts';
import { launchBrowser } from './browser.ts';
import { endsWell, linkIn, newcomer, newcomersGateway, walkOf } from './newcomer.ts';
import { desktop, says } from './pages.ts';

test('guides a newcomer by keyboard from the first start to a refunded payment and its receipt', {
  skip: skipWithoutTerminal,
}, async (context) => {
  const gateway = await newcomersGateway(context);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const { page, complaints } = await newcomer(browser, { viewport: desktop });
  await page.goto(linkIn(gateway.printed()));
  await walkOf(page).press('Entrar na loja de demonstração');
  await walk(page);
  assert.deepEqual(complaints, []);
  await page.context().close();
  await endsWell(gateway);
});

async function walk(page: Page): Promise<void> {
  const tabTo = async (name: string) => {
    const focused = `const it = document.activeElement; (it.labels?.[0] ?? it).textContent.trim()`;
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(focused)) === name) return;
    }
    assert.fail(`no way to ${name}`);
  };
  const enter = async (name: string) => {
    await tabTo(name);
    await page.keyboard.press('Enter');
  };
  await enter('Cobrar a um cliente');
  await says(page, 'Números de teste');
  await tabTo('Valor');
  await page.keyboard.type('250');
  await enter('991 20 49 não tem saldo');
  await enter('Cobrar 250,00 CVE');
  await says(page, 'O cliente não tinha saldo suficiente.');
  await enter('Tentar de novo');
  await says(page, 'Números de teste');
  await enter('991 23 45 paga');
  await enter('Cobrar 250,00 CVE');
  await says(page, /^Pago$/);
  await enter('Ver o pagamento');
  await says(page, 'O que aconteceu');
  await enter('Reembolsar');
  await says(page, 'Tudo o que resta');
  await enter('Reembolsar');
  await says(page, 'O reembolso está feito');
  const opened = page.waitForEvent('popup');
  await enter('Ver recibo');
  await says(await opened, /^Reembolsado$/);
}
