import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCheckPayout } from './check.ts';

const configured = (query: 'full' | 'none', deduplicates: boolean) =>
  makeCheckPayout({ CVMOVEL: { currencies: ['CVE'], query, deduplicates } });

test('pays out only through an operator that can be asked, or recognizes repeated requests', () => {
  configured('full', false)('live', 'CVMOVEL', 'CVE');
  configured('none', true)('live', 'CVMOVEL', 'CVE');
  configured('none', false)('test', 'CVMOVEL', 'CVE');
  assert.throws(() => configured('none', false)('live', 'CVMOVEL', 'CVE'), {
    code: 'VALIDATION_ERROR',
    message: /can be asked about disbursements or recognizes repeated ones/,
  });
});
