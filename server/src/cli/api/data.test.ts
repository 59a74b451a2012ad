import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataArgument } from './data.ts';

const body = (...texts: string[]) =>
  texts.reduce<Record<string, unknown>>((before, text) => dataArgument(text, before), {});

test('reads nested fields, numbers and texts', () => {
  const items = ['items[0][name]=Café', 'items[0][unitPrice]=15000', 'items[1][name]="2"'];
  assert.deepEqual(
    body(...items, 'metadata[table]=a=b', 'returnUrl=', 'active=false', 'note=null'),
    {
      items: [{ name: 'Café', unitPrice: 15_000 }, { name: '2' }],
      metadata: { table: 'a=b' },
      returnUrl: '',
      active: false,
      note: null,
    },
  );
});

test('reads a whole body, as JSON or from a file, of which later fields change some', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-data-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'body.json');
  writeFileSync(file, '{"amount": 1, "currency": "CVE"}');
  assert.deepEqual(body(`@${file}`, 'amount=2'), { amount: 2, currency: 'CVE' });
  assert.deepEqual(body('{"amount": 3}'), { amount: 3 });
});

test('refuses what is no field', () => {
  for (const wrong of ['amount', '=1', 'items[=1', '{"amount"', '@/nowhere/body.json'])
    assert.throws(() => body(wrong), /It must|cannot be read/, wrong);
});
