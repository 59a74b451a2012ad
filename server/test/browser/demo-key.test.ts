/** What a page of another site learns from a gateway on the developer's machine, tested in a browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type TestConsole, testConsole } from '../support/console.ts';
import { plainStart } from '../support/gateway.ts';
import { listen } from '../support/webhook-receiver.ts';
import { launchBrowser } from './browser.ts';

/** A gateway as `npm start` makes it, with its demo key in demo.env. */
async function demoGateway(context: TestContext): Promise<TestConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-demo-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { ...plainStart, DATA_DIR: folder };
  const world = await testConsole(context, { environment });
  writeFileSync(join(folder, 'demo.env'), `ZIMBO_URL=x\nZIMBO_API_KEY=${world.gateway.key}\n`);
  return world;
}

/**
 * Includes an address in every way that needs no permission, and returns what scripts and styles
 * can read then.
 */
const includeAll = async (addresses: readonly string[]) => {
  const found: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: runs in the browser.
  const window = globalThis as unknown as { document: any; Scalar: unknown };
  window.Scalar = {
    createApiReference: (...given: unknown[]) => found.push(JSON.stringify(given)),
  };
  const { document } = window;
  for (const address of addresses) {
    for (const tag of ['script', 'img', 'link', 'iframe', 'object', 'video']) {
      const element = document.createElement(tag);
      const ended = new Promise((resolve) => {
        for (const event of ['load', 'error']) element.addEventListener(event, resolve);
        setTimeout(resolve, 1_500);
      });
      if (tag === 'link') element.rel = 'stylesheet';
      element[tag === 'link' ? 'href' : tag === 'object' ? 'data' : 'src'] = address;
      document.body.append(element);
      await ended;
      if (tag === 'img' && element.width > 0) found.push(`picture ${address}`);
      try {
        found.push(element.contentDocument?.body?.innerText ?? '');
      } catch {}
    }
    for (const mode of ['cors', 'no-cors']) {
      const answer = await fetch(address, { mode, credentials: 'include' } as RequestInit).catch(
        () => undefined,
      );
      found.push((await answer?.text().catch(() => '')) ?? '');
    }
  }
  found.push(document.documentElement.innerHTML);
  return found.join('\n');
};

test("shows the demo's key to its owner, and not to another site", async (context) => {
  const world = await demoGateway(context);
  const { gateway, origin } = world;
  const { cookie } = await world.signIn();
  const foreign = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><body></body>'),
  );
  const { port } = await listen(context, foreign);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const visitor = await browser.newContext();
  const page = await visitor.newPage();
  const told = async () => {
    const answer = page.waitForResponse((response) => response.url().endsWith('/docs/key'));
    await page.goto(`${origin}/docs`);
    return (await answer).json();
  };
  assert.deepEqual(await told(), { key: null }, 'nobody is signed in');

  const [name = '', value = ''] = cookie.split('=');
  await visitor.addCookies([{ name, value, url: origin, sameSite: 'Lax', httpOnly: true }]);
  assert.deepEqual(await told(), { key: gateway.key });

  const { cookie: others } = await world.signIn('VIEWER');
  const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };
  const refused = await fetch(`${origin}/docs/key`, { headers: { ...own, cookie: others } });
  assert.deepEqual(await refused.json(), { key: null }, 'who is no owner');

  const addresses = ['/docs', '/docs/key', '/docs/start.js'].map((path) => origin + path);
  // The first is another site; the second is the same site at another port, which cookies cannot
  // distinguish.
  for (const host of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${host}:${port}/`);
    const learnt = await page.evaluate(includeAll, addresses);
    assert.ok(!learnt.includes(gateway.key), host);
  }
  await visitor.close();
});
