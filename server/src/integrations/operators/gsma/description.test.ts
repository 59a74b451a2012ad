import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descriptionOf } from './description.ts';

test('cuts a description between characters, to 160 code points', () => {
  assert.equal(descriptionOf('LOJA Praia, nº 7'), 'LOJA Praia, nº 7');
  assert.equal(descriptionOf('x'.repeat(161)), 'x'.repeat(160));
  assert.equal(descriptionOf('\u{1f600}'.repeat(160)), '\u{1f600}'.repeat(160));
  assert.equal(descriptionOf('\u{1f600}'.repeat(161)), '\u{1f600}'.repeat(160));
  const accented = 'e\u0301';
  assert.equal(descriptionOf(`${'x'.repeat(159)}${accented}`), 'x'.repeat(159));
  assert.equal(descriptionOf(`${'x'.repeat(158)}${accented}y`), `${'x'.repeat(158)}${accented}`);
  const family = '\u{1f469}\u200d\u{1f467}';
  assert.equal(descriptionOf(family.repeat(60)), family.repeat(53));
  assert.equal(descriptionOf(`${'x'.repeat(159)} y`), 'x'.repeat(159));
});

test('writes a description on one line, and none without readable text', () => {
  assert.equal(descriptionOf(' LOJA\r\nPraia\t7 '), 'LOJA Praia 7');
  for (const text of [null, undefined, '', ' \n ', `e${'\u0301'.repeat(500)}`]) {
    assert.equal(descriptionOf(text), undefined);
  }
});
