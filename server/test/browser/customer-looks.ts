/**
 * Every state that a customer can see, in every look, with a picture of each: `npm run looks`. A
 * single state: `npm run looks -- --test-name-pattern=waiting`.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Language, languages } from '../../src/platform/text/language.ts';
import { contactSheet } from './contact-sheet.ts';
import { customerLooks, faultsOfLook, nameOfLook, put } from './customer-look.ts';
import { openShops, type Shops, type State, showState } from './scene.ts';
import { states } from './states.ts';

const folder = join(import.meta.dirname, 'screenshots', 'customer');
const undo: (() => unknown)[] = [];
let shops: Shops;

describe('all looks of what a customer sees', { concurrency: 3 }, () => {
  before(async () => {
    mkdirSync(folder, { recursive: true });
    shops = await openShops({ after: (step) => undo.unshift(step as () => unknown) });
    const names = states.map(({ name }) => name);
    const sheet = contactSheet('what a customer sees', names, customerLooks.map(nameOfLook));
    writeFileSync(join(folder, 'index.html'), sheet);
  });
  after(async () => {
    for (const step of undo) await step();
    console.log(`The pictures: ${join(folder, 'index.html')}`);
  });

  for (const state of states) {
    for (const language of languages) {
      test(`${state.name}, ${language}`, () => pictures(state, language));
    }
  }
});

async function pictures(state: State, language: Language): Promise<void> {
  const page = await showState(shops, state, language);
  const faults: string[] = [];
  for (const look of customerLooks.filter((each) => each.language === language)) {
    await put(page, look);
    await page.screenshot({
      path: join(folder, `${state.name}-${nameOfLook(look)}.png`),
      fullPage: true,
    });
    const found = await faultsOfLook(page, look);
    faults.push(...found.map((fault) => `${nameOfLook(look)}: ${fault}`));
  }
  await page.context().close();
  assert.deepEqual(faults, []);
}
