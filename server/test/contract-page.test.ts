import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const server = join(import.meta.dirname, '..');
const page = readFileSync(join(server, '..', 'docs', 'contract.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d/.test(line));

/** Whether the file has a test of exactly this name that is not skipped. */
function hasTest(file: string, name: string): boolean {
  const path = join(server, file);
  if (!existsSync(path)) return false;
  const code = readFileSync(path, 'utf8');
  return [`test('${name}',`, `test("${name}",`].some((start) => code.includes(`\n${start}`));
}

test('names existing tests in each row of the page on the contract', () => {
  assert.ok(rows.length > 80);
  for (const row of rows) {
    const [, , proofs = ''] = row.split(' | ');
    for (const proof of proofs.replace(/ \|$/, '').split('<br>')) {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
      assert.ok(hasTest(file, name), row);
    }
  }
});

test('covers each section of the contract on its page', () => {
  const sections = new Set(rows.map((row) => row.split(' | ')[0]!.slice(2).split('.')[0]));
  assert.deepEqual([...sections], ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
});
