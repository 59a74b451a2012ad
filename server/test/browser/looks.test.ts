/**
 * Every state that a customer can see, in two looks, without axe findings or overflow. All states
 * in all looks, with pictures: `npm run looks`.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { customerLooks, faultsOfLook, nameOfLook, put } from './customer-look.ts';
import { openShops, type Shops, showState } from './scene.ts';
import { states } from './states.ts';

const undo: (() => unknown)[] = [];
let shops: Shops;

describe('the looks of what a customer sees', { concurrency: 4 }, () => {
  before(async () => {
    shops = await openShops({ after: (step) => undo.unshift(step as () => unknown) });
  });
  after(async () => {
    for (const step of undo) await step();
  });

  for (const [index, state] of states.entries()) {
    test(`${state.name}: axe finds nothing, and nothing is wider than the screen`, async () => {
      // Alternates languages, so that neighbours differ and every look has its turn.
      const [first, second] = customerLooks.filter((_look, turn) => turn % 4 === index % 4);
      for (const look of [first!, second!]) {
        const page = await showState(shops, state, look.language);
        await put(page, look);
        assert.deepEqual(await faultsOfLook(page, look), [], nameOfLook(look));
        await page.context().close();
      }
    });
  }
});
