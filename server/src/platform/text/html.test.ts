import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

test('escapes text in a template, and keeps HTML', () => {
  const inner = html`<b>${'<&"\'>'}</b>`;
  assert.equal(
    html`${inner}|${[inner]}|${undefined}|${2}`.text,
    [inner.text, inner.text, '', 2].join('|'),
  );
  assert.equal(inner.text, '<b>&lt;&amp;&quot;&#39;&gt;</b>');
});
