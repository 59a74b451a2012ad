import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { callbackKinds, createCallbackTokens } from './callback-token.ts';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const address = () =>
  ({
    operator: 'CVMOVEL',
    kind: 'REVERSAL',
    tenantId: randomUUID(),
    reference: randomUUID(),
  }) as const;

test('names the purpose of a token, and detects any change in it', () => {
  const tokens = createCallbackTokens(newKey);
  const named = address();
  const token = tokens.make(named);
  assert.match(token, /^[\w-]{66}$/);
  assert.deepEqual(tokens.read('CVMOVEL', token), named);
  for (const other of ['UNITEL_TMAIS', 'MOCK', 'cvmovel', '']) {
    assert.equal(tokens.read(other, token), undefined);
  }
  for (let place = 0; place < token.length - 1; place++) {
    const letter = token[place] === 'A' ? 'B' : 'A';
    const changed = token.slice(0, place) + letter + token.slice(place + 1);
    assert.equal(tokens.read('CVMOVEL', changed), undefined, `letter ${place}`);
  }
  for (const wrong of ['', token.slice(1), `${token}A`, `${token.slice(0, -1)}!`]) {
    assert.equal(tokens.read('CVMOVEL', wrong), undefined);
  }
});

test('reads tokens under the previous key, in either order of the keys, but makes none', () => {
  const named = address();
  const [before, after] = [createCallbackTokens(oldKey), createCallbackTokens(newKey)];
  for (const both of [createCallbackTokens(newKey, oldKey), createCallbackTokens(oldKey, newKey)]) {
    assert.deepEqual(both.read('CVMOVEL', before.make(named)), named);
    assert.deepEqual(both.read('CVMOVEL', after.make(named)), named);
  }
  assert.equal(createCallbackTokens(newKey, oldKey).make(named), after.make(named));
  assert.equal(after.read('CVMOVEL', before.make(named)), undefined);
});

// Made when the format was new. Operators keep addresses for days, so these must stay readable for ever.
const givenOut = {
  CVMOVEL: {
    DEBIT: 'AAGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis87A7VwhjQfPs_yDaiL6SnaQ',
    REFUND: 'AQGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8xNIj1Uw2LOvm--i4ehL3FA',
    REVERSAL: 'AgGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8FxgBxwf_x73UzEt7zH3dpA',
    DISBURSEMENT: 'AwGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8c81xoVKrK4KISh13bUmkew',
  },
  UNITEL_TMAIS: {
    DEBIT: 'AAGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8IRumgmTVvtmrrBay8O23Pg',
    REFUND: 'AQGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8HRNTldJgTm1nuosplPw4oQ',
    REVERSAL: 'AgGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8phasba6sEdZM00gUEYRsww',
    DISBURSEMENT: 'AwGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8cwT76MpvJh0zDxuwoEX7Dg',
  },
} as const;

test('reads an address of an older version under the key that made it', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
  const current = createCallbackTokens(key);
  const replacing = createCallbackTokens(newKey, key);
  for (const operator of ['CVMOVEL', 'UNITEL_TMAIS'] as const) {
    for (const kind of callbackKinds) {
      const named = {
        operator,
        kind,
        tenantId: '019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b',
        reference: '019b2c3d-4e5f-7061-9b7c-8d9e0f1a2b3c',
      };
      const token = givenOut[operator][kind];
      assert.deepEqual(current.read(operator, token), named);
      assert.deepEqual(replacing.read(operator, token), named);
      assert.equal(createCallbackTokens(newKey).read(operator, token), undefined);
      // A later version may use another format, but only if the version before it can read that format.
      assert.equal(current.make(named), token);
    }
  }
});
