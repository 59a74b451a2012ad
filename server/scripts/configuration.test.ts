import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { variables } from '../src/platform/config/variables.ts';
import { configurationPage } from './configuration.ts';

const committed = join(import.meta.dirname, '..', '..', 'docs', 'configuration.md');

test('docs/configuration.md is what the code says', () => {
  assert.equal(readFileSync(committed, 'utf8'), configurationPage(), 'run "npm run docs"');
});

test('the page names every setting, with a table row that is whole', () => {
  const rows = configurationPage()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  assert.deepEqual(
    rows.map((row) => /^\| `(\w+)` \|/.exec(row)?.[1]),
    Object.keys(variables),
  );
  for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 7, row);
});
