import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { accentOn, contrastOf } from './accent.ts';

const style = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8');
const [light, dark] = ['--page', '--card'].map((name) =>
  [...style.matchAll(new RegExp(`${name}: (#[0-9a-f]{6})`, 'g'))].map(([, colour]) => colour!),
);
const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test("makes any merchant's colour readable on the page, and text on it readable too", () => {
  assert.equal(light?.length, 2, 'style.css has a light and a dark ground');
  fc.assert(
    fc.property(colour, (given) => {
      for (const [ground, index] of [
        ['light', 0],
        ['dark', 1],
      ] as const) {
        const accent = accentOn(ground, given);
        for (const surface of [light![index]!, dark![index]!]) {
          assert.ok(contrastOf(accent.colour, surface) >= 4.5, `${accent.colour} on ${surface}`);
        }
        assert.ok(
          contrastOf(accent.ink, accent.colour) >= 4.5,
          `${accent.ink} on ${accent.colour}`,
        );
      }
    }),
  );
});

test('keeps a readable colour as it is, and darkens yellow', () => {
  assert.deepEqual(accentOn('light', '#0b5d44'), { colour: '#0b5d44', ink: '#ffffff' });
  assert.equal(contrastOf('#000000', '#ffffff'), 21);
  assert.ok(contrastOf(accentOn('light', '#ffee00').colour, '#ffffff') < 6, 'no more than needed');
});
