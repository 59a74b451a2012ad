import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localeFor } from './locale.ts';

test('uses the singular for one second, and the plural for more', () => {
  const advice = (language: string, seconds: number) =>
    localeFor(language, undefined).tooMany(seconds).advice;
  assert.equal(advice('pt', 1), 'Espere 1 segundo e volte a abrir a página.');
  assert.equal(advice('pt', 2), 'Espere 2 segundos e volte a abrir a página.');
  assert.equal(advice('en', 1), 'Wait 1 second and open the page again.');
  assert.equal(advice('en', 2), 'Wait 2 seconds and open the page again.');
});
