import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from './home.words.ts';

test('names one payout in the singular, and several in the plural', () => {
  assert.equal(words.en.settlements('1'), '1 payout that cannot be handed to the bank');
  assert.equal(words.en.settlements('2'), '2 payouts that cannot be handed to the bank');
  const one = '1 transferência que não se consegue entregar ao banco';
  assert.equal(words.pt.settlements('1'), one);
});
