/**
 * Every page of the console in every look, with a picture of each: `npm run looks`. A single look:
 * `npm run looks -- --test-name-pattern=360-light-pt`.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { type Address, addressesOf } from './console-addresses.ts';
import { openWorld, type World } from './console-world.ts';
import { contactSheet } from './contact-sheet.ts';
import { faultsOf, type Look, looks, nameOf, paperFaults, Walker } from './walk.ts';
import { plainTexts } from './world-texts.ts';

const folder = join(import.meta.dirname, 'screenshots', 'console');
const undo: (() => unknown)[] = [];
let world: World;
let browser: Browser;

describe('all looks of the console', { concurrency: 2 }, () => {
  before(async () => {
    mkdirSync(folder, { recursive: true });
    world = await openWorld({ after: (step) => undo.unshift(step as () => unknown) }, plainTexts);
    browser = await launchBrowser();
    undo.unshift(() => browser.close());
    const names = ['menu-small', 'menu-person', ...shown().map(({ name }) => name)];
    writeFileSync(
      join(folder, 'index.html'),
      contactSheet('the console', names, looks.map(nameOf)),
    );
  });
  after(async () => {
    for (const step of undo) await step();
    console.log(`The pictures: ${join(folder, 'index.html')}`);
  });

  for (const look of looks) test(nameOf(look), () => walk(look));
});

const shown = () => addressesOf(world).filter(({ isFile }) => !isFile);

async function walk(look: Look): Promise<void> {
  const walker = new Walker(browser, world);
  const faults: string[] = [];
  for (const address of shown()) {
    const page = await walker.open(address, look);
    await picture(page, `${address.name}-${nameOf(look)}`);
    if (address.name === 'home') await pictureMenus(page, look);
    const found = await faultsOf(walker, page);
    faults.push(...found.map((fault) => `${address.name}: ${fault}`));
    const onPaper = await paper(page, address, look);
    faults.push(...onPaper.map((fault) => `${address.name} on paper: ${fault}`));
  }
  await walker.close();
  assert.deepEqual(faults, []);
}

const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });

/** The menus of the top bar. */
async function pictureMenus(page: Page, look: Look): Promise<void> {
  for (const menu of ['small', 'person']) {
    const toggle = (isOpen: boolean) =>
      page.evaluate(`document.querySelector('.menu.${menu}').open = ${isOpen};`);
    await toggle(true);
    await picture(page, `menu-${menu}-${nameOf(look)}`);
    await toggle(false);
  }
}

const isForPaper = ['poster', 'statement-print', 'receipt-0', 'payments'];

/** Pages for printing, as printed. */
async function paper(page: Page, { name }: Address, look: Look): Promise<string[]> {
  if (!isForPaper.includes(name) || look.width !== 1440 || look.scheme === 'dark') return [];
  const faults = await paperFaults(page);
  await picture(page, `${name}-paper-${look.language}`);
  return faults;
}
