import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { freePort } from '../support/free-port.ts';
import { plainStart } from '../support/gateway.ts';
import { type GatewayProcess, startInTerminal, testDataDir } from '../support/process.ts';
import { controlC } from '../support/terminal.ts';
import { fitsWidth } from './axe.ts';
import { newPage, openContext } from './pages.ts';

const pictures = join(import.meta.dirname, 'screenshots');
mkdirSync(pictures, { recursive: true });

type Undo = Pick<TestContext, 'after'>;

/** `zimbo start` in a terminal, on a new empty database, as in the README. */
export async function newcomersGateway(context: Undo): Promise<GatewayProcess> {
  const dataDir = await testDataDir(context);
  // A port known in advance, because the console needs its own address.
  const port = String(await freePort());
  const gateway = await startInTerminal(dataDir, { ...plainStart, RATE_LIMIT: 'off', PORT: port });
  context.after(() => gateway.kill('SIGKILL'));
  return gateway;
}

/** The link that the start prints. */
export const linkIn = (printed: string) =>
  /http:\/\/localhost:\d+\/console\/welcome\/\S+/.exec(printed)![0];

/** A person with a separate browser, and all problems that the browser reports. */
export async function newcomer(browser: Browser, options: BrowserContextOptions) {
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

/** A person's actions on a page, by its visible words. */
export function walkOf(page: Page) {
  return {
    press: (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click(),
    look: async (name: string): Promise<void> => {
      assert.ok(await fitsWidth(page), name);
      await page.screenshot({ path: join(pictures, `first-walk-${name}.png`), fullPage: true });
    },
  };
}

/** Stops the gateway in order. */
export async function endsWell({ child }: GatewayProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin!.write(controlC);
  assert.deepEqual(await exit, [0, null]);
}
