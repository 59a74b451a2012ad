/** The first five minutes of a newcomer: `zimbo start`, the link that it prints, and then what the screen says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';
import { plainStart } from '../support/gateway.ts';
import { type GatewayProcess, startProcess, testDataDir } from '../support/process.ts';
import { fitsWidth } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { newPage, openContext, says } from './pages.ts';

const pictures = join(import.meta.dirname, 'screenshots');
mkdirSync(pictures, { recursive: true });
const undo: (() => unknown)[] = [];
const context = { after: (step: unknown) => void undo.unshift(step as () => unknown) };
let browser: Browser;

before(async () => {
  browser = await launchBrowser();
  context.after(() => browser.close());
});
after(async () => {
  for (const step of undo) await step();
});

test('from the first start to a refunded payment and its receipt, by what the screen says', async () => {
  const gateway = await newcomersGateway();
  const { page, complaints } = await newcomer({ viewport: { width: 390, height: 844 } });
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
  await press('Cobrar');
  // On a busy machine it may be paid before anybody looks.
  await says(page, /^(À espera do cliente|Pago)$/);
  await look('waiting');
  await says(page, /^Pago$/);
  await says(page, '1.500,00 CVE');
  await look('paid');

  await page.getByRole('link', { name: 'Ver o pagamento' }).click();
  await page.getByRole('link', { name: 'Reembolsar' }).click();
  assert.equal(await page.getByLabel('Montante (CVE)').inputValue(), '1500,00', 'all of it');
  await look('refund');
  await press('Reembolsar');
  await says(page, 'O reembolso está feito');
  await says(page, /^Reembolsado$/);
  await look('refunded');

  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Ver recibo' }).click();
  const receipt = await opened;
  await says(receipt, /^Devolvido$/);
  await walkOf(receipt).look('receipt');
  await byKeyboard(await page.context().newPage(), new URL('/console', page.url()).href);
  assert.deepEqual(complaints, []);
  await page.context().close();
  await endsWell(gateway);
});

/** The same with the keyboard alone; the customer has to be asked twice. */
async function byKeyboard(page: Page, address: string): Promise<void> {
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
  await page.goto(address);
  await enter('Cobrar a um cliente');
  await says(page, 'Números de teste');
  await tabTo('Montante');
  await page.keyboard.type('250');
  await enter('991 20 49 não tem saldo');
  await enter('Cobrar');
  await says(page, 'O cliente não tinha saldo suficiente.');
  await enter('Tentar de novo');
  await says(page, 'Números de teste');
  await enter('991 23 45 paga');
  await enter('Cobrar');
  await says(page, /^Pago$/);
  await enter('Ver o pagamento');
  await says(page, 'O que aconteceu');
  await enter('Reembolsar');
  await says(page, 'Tudo o que resta');
  await enter('Reembolsar');
  await says(page, 'O reembolso está feito');
  const opened = page.waitForEvent('popup');
  await enter('Ver recibo');
  await says(await opened, /^Devolvido$/);
}

/** `zimbo start` on an empty database of its own, as it stands in the README. */
async function newcomersGateway(): Promise<GatewayProcess> {
  const dataDir = await testDataDir(context);
  // A port that is known before: the console has to know its own address.
  const port = String(await freePort());
  const gateway = await startProcess(dataDir, { ...plainStart, PORT: port });
  context.after(() => gateway.kill('SIGKILL'));
  return gateway;
}

const linkIn = (printed: string) =>
  /http:\/\/localhost:\d+\/console\/welcome\/\S+/.exec(printed)![0];

/** Somebody with a browser of their own, and whatever the browser finds fault with. */
async function newcomer(options: BrowserContextOptions) {
  const browsing = await openContext(browser, options);
  const complaints: string[] = [];
  browsing.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  browsing.on('weberror', (fault) => complaints.push(String(fault.error())));
  browsing.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  return { page: await newPage(browsing), complaints };
}

function walkOf(page: Page) {
  return {
    press: (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click(),
    look: async (name: string): Promise<void> => {
      assert.ok(await fitsWidth(page), name);
      await page.screenshot({ path: join(pictures, `first-walk-${name}.png`), fullPage: true });
    },
  };
}

async function endsWell({ child }: GatewayProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
}
