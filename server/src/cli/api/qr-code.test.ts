import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { encode } from 'uqr';
import { terminalCode } from '../../../test/support/zimbo.ts';
import { qrCode } from './qr-code.ts';

/** The modules that a camera sees in a character: whether the upper and the lower one are dark. */
const halves: Record<string, [boolean, boolean]> = {
  ' ': [true, true],
  '█': [false, false],
  '▀': [false, true],
  '▄': [true, false],
};

test('draws the modules of the text, light on a dark background', () => {
  const link = `http://127.0.0.1:3000/pay/${'aB3_'.repeat(16)}`;
  const printed = qrCode(link);
  for (const line of printed.split('\n')) assert.ok(line.startsWith(`${terminalCode}[`));
  const rows = stripVTControlCharacters(printed)
    .split('\n')
    .flatMap((line) => {
      const pairs = Array.from(line, (character) => halves[character]!);
      return [pairs.map(([upper]) => upper), pairs.map(([, lower]) => lower)];
    });
  const { data, size } = encode(link, { ecc: 'L', border: 2 });
  assert.deepEqual(rows.slice(0, size), data);
});
