import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mutations } from './list.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('every mutation finds its text exactly once, and names a test that exists', () => {
  for (const { name, file, find, test: named, only = '' } of mutations) {
    assert.equal(read(file).split(find).length, 2, `${name}: ${file}`);
    assert.ok(existsSync(join(root, named)), `${name}: ${named}`);
    assert.ok(read(named).includes(only), `${name}: ${only}`);
  }
});
