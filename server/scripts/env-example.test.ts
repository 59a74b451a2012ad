import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Variable, variables } from '../src/platform/config/variables.ts';
import { envExample, fixedByCompose } from './env-example.ts';

const committed = join(import.meta.dirname, '..', '..', 'deploy', '.env.example');

test('deploy/.env.example is what the code says', () => {
  assert.equal(readFileSync(committed, 'utf8'), envExample(), 'run "npm run docs"');
});

test('every setting is in deploy/.env.example or fixed by compose.yaml; secrets only as files', () => {
  const listed = [...envExample().matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
  const all: [string, Variable<unknown>][] = Object.entries(variables);
  const expected = all
    .filter(([name, { secret }]) => !fixedByCompose.includes(name) && secret !== true)
    .map(([name]) => name);
  assert.deepEqual(listed, expected);
  for (const [name, { secret }] of all) {
    if (secret === true && !fixedByCompose.includes(name))
      assert.ok(listed.includes(`${name}_FILE`));
  }
});
