import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApiDocument } from './openapi.ts';

const committed = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');

test('docs/openapi.json is what the gateway serves', async () => {
  assert.equal(readFileSync(committed, 'utf8'), await openApiDocument(), 'run "npm run docs"');
});

test('every operation has a name, a summary, a permission and its errors', async () => {
  const { paths } = JSON.parse(await openApiDocument());
  const names = new Set<string>();
  for (const operations of Object.values<Record<string, Record<string, unknown>>>(paths)) {
    for (const operation of Object.values(operations)) {
      assert.match(operation.operationId as string, /^[a-z][A-Za-z]+$/);
      names.add(operation.operationId as string);
      assert.ok(operation.summary);
      assert.ok(operation.security);
      const statuses = Object.keys(operation.responses as object);
      for (const status of ['401', '403', '429', '500']) assert.ok(statuses.includes(status));
    }
  }
  assert.ok(names.size >= 9);
});
