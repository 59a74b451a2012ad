import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createCallbackTokens } from './token.ts';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const address = () =>
  ({
    operator: 'CVMOVEL',
    kind: 'REVERSAL',
    tenantId: randomUUID(),
    reference: randomUUID(),
  }) as const;

test('a token names what it was made for, and nothing in it can be changed', () => {
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

test('the previous key reads, in whichever order the two are, and makes nothing', () => {
  const named = address();
  const [before, after] = [createCallbackTokens(oldKey), createCallbackTokens(newKey)];
  for (const both of [createCallbackTokens(newKey, oldKey), createCallbackTokens(oldKey, newKey)]) {
    assert.deepEqual(both.read('CVMOVEL', before.make(named)), named);
    assert.deepEqual(both.read('CVMOVEL', after.make(named)), named);
  }
  assert.equal(createCallbackTokens(newKey, oldKey).make(named), after.make(named));
  assert.equal(after.read('CVMOVEL', before.make(named)), undefined);
});

test('what an earlier release gave out stays valid: an operator may call back days after an upgrade', () => {
  const tokens = createCallbackTokens(Buffer.alloc(32, 7));
  const ofRelease = {
    DEBIT: 'AAGapdTg-3AAgAAAAAAAAAEBmqXU4PtwAIAAAAAAAAACkrARmNApraKiCwIm3L4kNw',
    REFUND: 'AQGapdTg-3AAgAAAAAAAAAEBmqXU4PtwAIAAAAAAAAACjv3xA7JUlau0hdD2F2JeSA',
    REVERSAL: 'AgGapdTg-3AAgAAAAAAAAAEBmqXU4PtwAIAAAAAAAAACzQVY_k921Dv5wTVUAqY62A',
  };
  for (const [kind, token] of Object.entries(ofRelease)) {
    assert.deepEqual(tokens.read('CVMOVEL', token), {
      operator: 'CVMOVEL',
      kind,
      tenantId: '019aa5d4-e0fb-7000-8000-000000000001',
      reference: '019aa5d4-e0fb-7000-8000-000000000002',
    });
  }
});
