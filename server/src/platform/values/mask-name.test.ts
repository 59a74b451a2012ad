import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskName } from './mask-name.ts';

test('shows the first letter of each word, and no length', () => {
  assert.equal(maskName('Maria da Luz'), 'M••• d••• L•••');
  assert.equal(maskName('  ANA-PAULA  Lopes '), 'A••• P••• L•••');
  assert.equal(maskName('E\u0301lio'), 'E\u0301•••');
});

test('shows nothing of what is no letter, and at most six words', () => {
  assert.equal(maskName('+2389912345'), '•••');
  assert.equal(maskName(''), '•••');
  assert.equal(maskName('\u202eMaria <b> 9912345'), '•••');
  assert.equal(maskName('a b c d e f g h'), 'a••• b••• c••• d••• e••• f•••');
});
