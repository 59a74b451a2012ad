import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const server = join(import.meta.dirname, '..');
const page = readFileSync(join(server, '..', 'docs', 'contract.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d/.test(line));

/** Whether the file has a test of exactly this name that is not left out. */
function hasTest(file: string, name: string): boolean {
  const path = join(server, file);
  if (!existsSync(path)) return false;
  const code = readFileSync(path, 'utf8');
  return [`test('${name}',`, `test("${name}",`].some((start) => code.includes(`\n${start}`));
}

test('each row of the page on the contract names tests that exist', () => {
  assert.ok(rows.length > 80);
  for (const row of rows) {
    const [, , proofs = ''] = row.split(' | ');
    for (const proof of proofs.replace(/ \|$/, '').split('<br>')) {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
      assert.ok(hasTest(file, name), row);
    }
  }
});

test('the page on the contract speaks of each of its sections', () => {
  const sections = new Set(rows.map((row) => row.split(' | ')[0]!.slice(2).split('.')[0]));
  assert.deepEqual([...sections], ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
});
