import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';
import { internationalPhone, money } from './words.ts';

test('money is written as people in Cape Verde and Angola write it', () => {
  const said = [1n, 99n, 100n, 100_000n, 99_999_999n, 999_900_000_000_000n].map((amount) =>
    money(amount, 'CVE'),
  );
  assert.deepEqual(said, [
    '0,01 CVE',
    '0,99 CVE',
    '1,00 CVE',
    '1.000,00 CVE',
    '999.999,99 CVE',
    '9.999.000.000.000,00 CVE',
  ]);
});

test('a national number gets its country code', () => {
  const typed = ['991 23 45', '923 456 789', '00238 9912345', '+238 991-23-45', '12'];
  assert.deepEqual(typed.map(internationalPhone), [
    '+2389912345',
    '+244923456789',
    '+2389912345',
    '+2389912345',
    '12',
  ]);
});

test('a template escapes text, and what is HTML already stays', () => {
  const inner = html`<b>${'<&"\'>'}</b>`;
  assert.equal(
    html`${inner}|${[inner]}|${undefined}|${2}`.text,
    [inner.text, inner.text, '', 2].join('|'),
  );
  assert.equal(inner.text, '<b>&lt;&amp;&quot;&#39;&gt;</b>');
});
