import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPage } from './redirect-target.ts';

test('one goes on to pages of the console', () => {
  for (const page of [
    '/console',
    '/console/account',
    '/console/me_1/live/payments?status=FAILED&q=a%20b',
  ]) {
    assert.equal(nextPage(page), page);
  }
});

test('and to nothing else, however it is written', () => {
  for (const page of [
    null,
    '',
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '\\\\evil.example/console',
    '/\t/evil.example/console',
    'javascript:alert(1)//console',
    '/console/../docs',
    '/console/%2e%2e/docs',
    '/consoles',
    '/v1/payments',
    `/console/${'x'.repeat(2_000)}`,
  ]) {
    assert.equal(nextPage(page), undefined, String(page));
  }
});
