import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assumed } from './assumed.ts';
import { withTables } from './page.ts';
import { yearPicture } from './pictures.ts';
import { standardParameters } from './routing/parameters.ts';
import { flatParameters, flatPolicies, policies, yearTables } from './routing/tables.ts';
import { simulateYear } from './routing/year.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const read = (name: string) => readFileSync(join(docs, name), 'utf8');

test('docs/scale.md says what becomes of ten million merchants in a year', () => {
  const year = simulateYear(standardParameters, policies);
  const flat = simulateYear(flatParameters, flatPolicies);
  const page = read('scale.md');
  assert.equal(withTables(page, yearTables(year, flat, assumed)), page);
  assert.equal(read('scale-year.svg'), yearPicture(year));
});
