import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadAdapter } from '../../integrations/operators/load-adapters.ts';
import {
  adapterModules,
  liveOperatorNames,
  operatorNames,
  phonePrefixes,
} from './operator-catalogue.ts';

const page = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', name), 'utf8');

/** Section 2.6 of the contract. */
const ofContract = ['CVMOVEL', 'UNITEL_TMAIS', 'MOCK'];

test('lists exactly the operators of the contract and its announced additions', () => {
  const [, announcements = ''] = page('contract.md').split('## Announced additions');
  const announced = [...announcements.matchAll(/^\| Operator \| `(\w+)` \|/gm)].map(
    ([, name]) => name!,
  );
  assert.deepEqual(operatorNames.toSorted(), [...ofContract, ...announced].toSorted());
});

test('loads each adapter, and the docs describe its callbacks', async () => {
  const rows = page('operators.md').match(/^\| `\w+` \| .* \| (PUT|POST), .*\|$/gm) ?? [];
  assert.equal(rows.length, Object.keys(adapterModules).length);
  for (const name of Object.keys(adapterModules)) {
    const { method } = (await loadAdapter(name)).callbacks;
    const isOf = (row: string) =>
      row.startsWith(`| \`${name}\` |`) && row.includes(`| ${method}, `);
    assert.equal(rows.filter(isOf).length, 1, name);
  }
});

test('gives every operator a country, and no phone prefix to two operators', () => {
  const all = liveOperatorNames.flatMap(phonePrefixes);
  assert.ok(liveOperatorNames.every((name) => phonePrefixes(name).length > 0));
  assert.deepEqual(all.toSorted(), [...new Set(all)].toSorted());
  for (const one of all) {
    assert.equal(all.filter((other) => other.startsWith(one)).length, 1, one);
    assert.match(one, /^(238|244)\d{2,3}$/);
  }
});
