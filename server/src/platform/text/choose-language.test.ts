import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLanguage } from './choose-language.ts';

test("prefers the language chosen on the page, then the browser's, then Portuguese", () => {
  const cases: [string | null, string | undefined, string][] = [
    [null, undefined, 'pt'],
    [null, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    [null, 'en-GB,en;q=0.9,pt;q=0.8', 'en'],
    [null, 'en;q=0.3, pt;q=0.7', 'pt'],
    [null, 'fr,en;q=0.5,pt;q=0.2', 'en'],
    [null, 'en;q=0,fr', 'pt'],
    [null, 'de', 'pt'],
    [null, ';;;,,,q=,en;q=x', 'pt'],
    ['en', 'pt', 'en'],
    ['pt', 'en', 'pt'],
    ['xx', 'en', 'en'],
    ['__proto__', undefined, 'pt'],
  ];
  for (const [chosen, accepted, expected] of cases) {
    assert.equal(chooseLanguage(chosen, accepted), expected, `${chosen}, ${accepted}`);
  }
});
