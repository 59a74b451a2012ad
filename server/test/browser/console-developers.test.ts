/** The console's pages for developers in a real browser: nothing for axe to find, and pictures to look at. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/gateway.ts';
import { testReceiver } from '../support/receiver.ts';
import { launchBrowser } from './browser.ts';

const pictures = join(import.meta.dirname, 'screenshots');
mkdirSync(pictures, { recursive: true });

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

/** An endpoint that answers with markup, a delivery to it, and some requests in the log. */
async function somethingToSee(context: Parameters<typeof testReceiver>[0], site: TestConsole) {
  const receiver = await testReceiver(context);
  receiver.answer = (index) => (index === 0 ? 500 : 200);
  receiver.body = `<script>document.title = "owned"</script>\u202e</pre>${'A'.repeat(1_000_000)}`;
  const { zimbo } = site.gateway;
  const endpoint = await zimbo.webhooks.create({
    url: receiver.url,
    events: ['payment.created', 'payment.debited'],
    description: 'Caixa da loja',
  });
  await zimbo.payments.create(payment);
  await eventually('two are delivered', () => receiver.received.length >= 2);
  return { endpoint: endpoint.id, event: String(receiver.received[0]!.event.id) };
}

async function pageOf(site: TestConsole, member: Member, undo: (() => unknown)[]): Promise<Page> {
  const browser = await launchBrowser();
  undo.push(() => browser.close());
  const browsing = await browser.newContext({ locale: 'pt-PT' });
  const [name, value] = member.cookie.split('=') as [string, string];
  await browsing.addCookies([{ name, value, url: site.origin }]);
  return browsing.newPage();
}

test('the pages for developers look right at 360 and 1440 px, light and dark', async (context) => {
  const site = await testConsole(context);
  const { endpoint, event } = await somethingToSee(context, site);
  const undo: (() => unknown)[] = [];
  context.after(async () => {
    for (const step of undo) await step();
  });
  const page = await pageOf(site, await site.signIn(), undo);
  const delivery = event.replace('evt_', 'dl_');
  const open = (path: string) => page.goto(`${site.origin}${site.base}/${path}`);
  for (const [name, path] of [
    ['new-key', 'keys/new'],
    ['keys', 'keys'],
    ['endpoints', 'endpoints'],
    ['new-endpoint', 'endpoints/new'],
    ['endpoint', `endpoints/${endpoint}`],
    ['delivery', `endpoints/${endpoint}/deliveries/${delivery}`],
    ['events', 'events'],
    ['event', `events/${event}`],
    ['requests', 'requests'],
    ['reference', 'reference'],
  ] as const) {
    await open(path);
    await look(page, name);
    assert.doesNotMatch(await page.title(), /owned/, 'nothing that an endpoint wrote runs');
  }
  await open('keys/new');
  await page.getByLabel('Nome', { exact: true }).fill('caixa 3');
  await page.getByRole('button', { name: 'Criar chave' }).click();
  await page.getByText('A nova chave').waitFor();
  await look(page, 'made-key');
  await open('keys');
  await page.getByRole('link', { name: 'caixa 3' }).click();
  await page.getByText('Revogar…').click();
  await look(page, 'key');
});

async function look(page: Page, name: string): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const at = `${name} at ${width} px, ${colorScheme}`;
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)');
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
      );
      const path = join(pictures, `developers-${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      assert.deepEqual(found, [], at);
      const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
      assert.ok(await page.evaluate(fits), at);
    }
  }
}
