import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { liveOperatorNames } from '../src/platform/config/operator-catalogue.ts';
import { type Variable, variables } from '../src/platform/config/variables.ts';
import { configurationPage, forAny, isShown } from './configuration.ts';

const committed = join(import.meta.dirname, '..', '..', 'docs', 'configuration.md');

test('docs/configuration.md is what the code says', () => {
  assert.equal(readFileSync(committed, 'utf8'), configurationPage(), 'run "npm run docs"');
});

test('the page names every setting, secrets and operators once, with a table row that is whole', () => {
  const rows = configurationPage()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  assert.deepEqual(
    rows.map((row) => /^\| `([\w…]+)` \|/.exec(row)?.[1]),
    Object.keys(variables).filter(isShown).map(forAny),
  );
  for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 7, row);
});

test('a row about an operator holds for every operator', () => {
  const about = (operator: string) =>
    Object.entries<Variable<unknown>>(variables)
      .filter(([name]) => name.includes(operator))
      .map(([name, { default: value, otherwise, about, kind }]) =>
        JSON.stringify([name, value, otherwise, about, kind.rule]).replaceAll(operator, '…'),
      );
  const [shown, ...others] = liveOperatorNames.map(about);
  assert.ok(shown!.length > 10);
  for (const other of others) assert.deepEqual(other, shown);
});
