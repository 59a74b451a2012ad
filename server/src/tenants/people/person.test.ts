import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailToFind, mailboxOf, parseEmail, parseName } from './person.ts';

test('stores an e-mail composed, in lower case, with the domain in its DNS form', () => {
  const cases = [
    [' Maria@LOJA.cv ', 'maria@loja.cv'],
    ['jos\u00e9@loja.cv', 'jos\u00e9@loja.cv'],
    ['JOSE\u0301@loja.cv', 'jos\u00e9@loja.cv'],
    ['ana@caf\u00e9.cv', 'ana@xn--caf-dma.cv'],
    ['ana@CAFE\u0301.cv', 'ana@xn--caf-dma.cv'],
    ['ana@XN--caf-dma.cv', 'ana@xn--caf-dma.cv'],
    ['иван@пример.рф', 'иван@xn--e1afmkfd.xn--p1ai'],
    ['用户@例子.中国', '用户@xn--fsqu00a.xn--fiqs8s'],
    ["o'neil+x@loja.cv", "o'neil+x@loja.cv"],
    ['demo@localhost', 'demo@localhost'],
  ] as const;
  for (const [given, stored] of cases) {
    assert.equal(parseEmail(given), stored, given);
    assert.equal(parseEmail(stored), stored);
    assert.equal(emailToFind(given), stored);
  }
});

test('knows the addresses of one mailbox', () => {
  for (const [address, mailbox] of [
    ['Ana.Lopes+loja@Loja.cv', 'ana.lopes@loja.cv'],
    ['a.na.lopes+x+y@gmail.com', 'analopes@gmail.com'],
    ['Ana.Lopes@GoogleMail.com', 'analopes@gmail.com'],
    ['ana.lopes@gmail.com.cv', 'ana.lopes@gmail.com.cv'],
    ['ana.lopes@notgmail.com', 'ana.lopes@notgmail.com'],
    ['ana@sub.gmail.com', 'ana@sub.gmail.com'],
  ]) {
    assert.equal(mailboxOf(address!), mailbox);
  }
});

test('refuses undeliverable or deceptive addresses', () => {
  const wrong = [
    [
      '',
      'ana',
      '@loja.cv',
      'ana@',
      'ana@@loja.cv',
      'ana@x@loja.cv',
      'a na@loja.cv',
      'ana@lo ja.cv',
    ],
    [
      'ana\n@loja.cv',
      'ana\0@loja.cv',
      'ana\u0085@loja.cv',
      'ana\u00a0x@loja.cv',
      'an\u2028a@loja.cv',
    ],
    [
      'a\u202ena@loja.cv',
      'a\u2066na@loja.cv',
      'a\u200bna@loja.cv',
      'a\u00adna@loja.cv',
      'a\u200dna@loja.cv',
    ],
    [
      'an\u034fa@loja.cv',
      'an\u3164a@loja.cv',
      'an\ufe0fa@loja.cv',
      'an\u{e0061}a@loja.cv',
      'a\ud800na@loja.cv',
    ],
    [
      'ana@lo\u00adja.cv',
      'ana@lo\u200bja.cv',
      'ana@\u202eloja.cv',
      'ana@caf\u00e9..cv',
      'ana@.caf\u00e9',
      'ana@\u3002cv',
    ],
    [
      '\u0301ana@loja.cv',
      'mi\u212ae@loja.cv',
      '\u0130da@loja.cv',
      'ana\uff20loja.cv',
      'ana@caf\u00e9%41.cv',
      'ana@caf\u00e9.cv/x',
      'ana@caf\u00e9.cv:25',
      'x@caf\u00e9#.cv',
    ],
    [`${'a'.repeat(65)}@loja.cv`, `${'\u00e9'.repeat(33)}@loja.cv`, `ana@${'a.'.repeat(130)}cv`],
  ].flat();
  for (const given of wrong) {
    assert.throws(() => parseEmail(given), { code: 'VALIDATION_ERROR' }, JSON.stringify(given));
    assert.equal(emailToFind(given), given);
  }
});

test('rejects a name that nobody can see', () => {
  for (const name of ['\u200b', '\u3164', '\u202e\u2066', '\u00ad\u2060', '\u2800', '\u0301'])
    assert.throws(() => parseName(name), { code: 'VALIDATION_ERROR' }, JSON.stringify(name));
  for (const name of ['Rosa', '李', 'João 2', '☕', '-', '\u{8fdcc}'])
    assert.equal(parseName(name), name);
});
