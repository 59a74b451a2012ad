/** Every page of the console once, each in a different look. All pages in all looks: `npm run looks`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { type Address, addressesOf } from './console-addresses.ts';
import { openWorld, type World } from './console-world.ts';
import { allPages, pageAt } from './page-at.ts';
import { faultsOf, looks, nameOf, paperFaults, Walker } from './walk.ts';
import { overTheWire } from './wire.ts';
import { plainTexts } from './world-texts.ts';

const kilobyte = 1_000;
const undo: (() => unknown)[] = [];
let world: World;
let browser: Browser;

describe('the looks of the console', () => {
  before(async () => {
    world = await openWorld({ after: (step) => undo.unshift(step as () => unknown) }, plainTexts);
    browser = await launchBrowser();
    undo.unshift(() => browser.close());
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('covers every page', () => {
    const seen = new Set(addressesOf(world).map(({ path }) => pageAt(path)));
    assert.deepEqual(
      allPages.filter((page) => !seen.has(page)),
      [],
    );
  });

  // Some hundred pages: on a busy machine they take longer than the limit of all tests.
  const timeout = 600_000;
  for (const whose of ['merchants', 'staff']) {
    test(
      `each page of ${whose}, in one look each: for the eye, by keyboard, and for axe`,
      {
        timeout,
      },
      () =>
        lookOnce((address) => address.path.startsWith('/console/staff') === (whose === 'staff')),
    );
  }

  async function lookOnce(isOne: (address: Address) => boolean): Promise<void> {
    const walker = new Walker(browser, world);
    const faults: string[] = [];
    for (const [index, address] of oneOfEach(world).filter(isOne).entries()) {
      // 5 and 12 have no common factor, so neighbours differ and every look has its turn.
      const look = looks[(index * 5) % looks.length]!;
      const page = await walker.open(address, look);
      const found = await faultsOf(walker, page);
      faults.push(...found.map((fault) => `${address.name} ${nameOf(look)}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  }

  test('fits printed pages on the paper', async () => {
    const walker = new Walker(browser, world);
    const faults: string[] = [];
    for (const address of addressesOf(world)) {
      if (!['statement-print', 'poster', 'settlement'].includes(address.name)) continue;
      const page = await walker.open(address, looks[0]!);
      faults.push(...(await paperFaults(page)).map((fault) => `${address.name}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  });

  test('transfers at most 60 KB for home, and then 25 KB for any other page', async () => {
    const walker = new Walker(browser, world);
    const kept = new Set<string>();
    const costs: Record<string, number> = {};
    for (const address of addressesOf(world).filter(({ isFile }) => !isFile)) {
      const cookie = walker.cookieOf(address) ?? '';
      costs[address.name] = (await overTheWire(walker.urlOf(address), cookie, kept)) / kilobyte;
    }
    if (process.env.SHOW_BYTES) console.table(costs);
    const tooMuch = (name: string) => costs[name]! > (name === 'home' ? 60 : 25);
    assert.deepEqual(Object.keys(costs).filter(tooMuch), []);
  });
});

/** The first address of each page, and all addresses outside pages. */
function oneOfEach(shown: World): Address[] {
  const seen = new Set<string>();
  return addressesOf(shown).filter(({ path, isFile, name }) => {
    const page = pageAt(path) ?? name;
    if (isFile || seen.has(page) || name.startsWith('empty-')) return false;
    seen.add(page);
    return true;
  });
}
