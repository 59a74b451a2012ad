/** Shows strangers' text as written, without an effect: on every page, in a real browser, on a phone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { addressesOf } from './console-addresses.ts';
import { openWorld, type World } from './console-world.ts';
import { layoutFaults, Walker } from './walk.ts';
import { hostileTexts } from './world-texts.ts';

const undo: (() => unknown)[] = [];
let world: World;
let browser: Browser;

describe('hostile contents in the console', () => {
  before(async () => {
    world = await openWorld({ after: (step) => undo.unshift(step as () => unknown) }, hostileTexts);
    browser = await launchBrowser();
    undo.unshift(() => browser.close());
  });
  after(async () => {
    for (const step of undo) await step();
  });

  test('runs, overflows and reorders nothing on any page', pages);
  test('writes no formula into files for spreadsheets', files);
});

async function pages(): Promise<void> {
  const walker = new Walker(browser, world);
  const faults: string[] = [];
  for (const address of addressesOf(world)) {
    if (/excel|file|items|manifest|movements|order|results/.test(address.name)) continue;
    const look = { width: 360, scheme: 'light', language: 'pt' } as const;
    const page = await walker.open(address, look);
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true;`);
    const found = address.isFile ? [] : [...(await layoutFaults(page)), ...(await turned(page))];
    if ((await page.title()) === 'owned') found.push('it ran');
    // For a picture, the browser reports what it has refused to do.
    const isRefusal = (said: string) => address.isFile && /^Blocked|violates/.test(said);
    found.push(...walker.noted().filter((said) => !isRefusal(said)));
    faults.push(...found.map((fault) => `${address.name}: ${fault}`));
  }
  assert.deepEqual(faults, []);
}

/**
 * Finds text with characters that reorder their surroundings without isolation, and text that has
 * become elements.
 */
const turned = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const turning = /[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f]/;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      if (!turning.test(textContent) || parentElement.closest('bdi, [dir], textarea, option, script')) continue;
      found.push('not kept to itself: ' + parentElement.outerHTML.slice(0, 160));
    }
    if (turning.test(document.title)) found.push('the title turns');
    const strange = document.querySelectorAll('script:not([src]), style, [onerror]');
    found.push(...[...strange].map((one) => 'markup: ' + one.outerHTML.slice(0, 160)));
    return found;
  })()`);

async function files(): Promise<void> {
  const { owner, settlement, batch } = world;
  const asked = [
    await owner.get(`disbursements/batches/${batch}/results.csv`),
    await owner.get(`${world.site.base}?days=7&csv=CVE`),
    await owner.get(`settlements/${settlement}/items.csv`),
    await owner.get('statement.csv'),
    await owner.send('payments/export', { action: 'csv' }),
  ];
  const cells = asked
    .flatMap(({ text }) => text.split(/\r?\n/))
    .flatMap((line) => line.split(/[;,]/));
  assert.deepEqual(cells.filter(isFormula).slice(0, 3), []);
  assert.match(asked.at(-1)!.text, /'@1\+1/, 'what others wrote is there, as text');
  const sheet = await sheetOf(owner.cookie);
  assert.doesNotMatch(sheet, /<f[ >]/);
  assert.match(sheet, /t="inlineStr"/);
}

/** Prefixes that spreadsheets evaluate; amounts are numbers, and may be negative. */
const isFormula = (cell: string) =>
  /^"?[=+\-@\t]/.test(cell) && !/^"?-?[\d.,]+"?$/.test(cell) && !/^\+\d{6,}$/.test(cell);

/** The first sheet of the file for Excel. */
async function sheetOf(cookie: string): Promise<string> {
  const { origin, base } = world.site;
  const url = `${origin}${base}/payments/export`;
  const page = await (await fetch(url, { headers: { cookie } })).text();
  const csrf = /name="csrf" value="([^"]*)"/.exec(page)![1]!;
  const body = new URLSearchParams({ csrf, action: 'excel' });
  const answer = await fetch(url, { method: 'POST', body, headers: { cookie, origin } });
  return unzipped(Buffer.from(await answer.arrayBuffer()), 'xl/worksheets/sheet1.xml');
}

/** A file of a zip archive, by the central directory. */
function unzipped(zip: Buffer, name: string): string {
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1)) {
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) !== name) continue;
    const [packed, start] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    return inflateRawSync(zip.subarray(data, data + packed)).toString();
  }
  throw new Error(`there is no ${name}`);
}
