import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bankText } from './bank-text.ts';

const texts = {
  'Panificação São João, Lda.': 'Panificacao Sao Joao, Lda.',
  'ÀÁÂÃÄÇÈÉÊÍÑÓÔÕÖÚÜ àáâãçéêíóôõúü': 'AAAAACEEEINOOOOUU aaaaceeiooouu',
  'Cabral & Filhos': 'Cabral + Filhos',
  'Bar d’Areia – 2.º andar': "Bar d'Areia - 2.o andar",
  'Åse Ørsted, Łódź, Straße': 'Ase Orsted, Lodz, Strasse',
  '  //a//b/  ': 'a/b',
  'a\tb\n c': 'a b c',
  '=1+1 <b> "x" @ _': '.1+1 .b. .x. . .',
  'Лавка 东': '..... .',
  '': '',
};

test('converts names to characters that every bank accepts', () => {
  for (const [given, expected] of Object.entries(texts))
    assert.equal(bankText(given, 140), expected);
});

test('treats decomposed Portuguese letters like composed ones', () => {
  const name = 'Conceição Évora';
  assert.equal(bankText(name.normalize('NFD'), 70), bankText(name.normalize('NFC'), 70));
});

test('returns only these characters, within the limit, for any text, and is idempotent', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 140 }),
      (text, longest) => {
        const made = bankText(text, longest);
        assert.match(made, /^[A-Za-z0-9 /\-?:().,'+]*$/);
        assert.ok(made.length <= longest);
        assert.doesNotMatch(made, /^[ /]|[ /]$|\/\//);
        assert.equal(bankText(made, longest), made);
      },
    ),
  );
});
