import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  codeAt,
  codeNow,
  codeUri,
  hashRecoveryCode,
  newCodeSecret,
  newRecoveryCodes,
  stepOf,
} from './one-time-codes.ts';

test('computes the codes of RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) assert.equal(codeNow(secret, seconds * 1_000), code);
});

test('accepts a code half a minute early or late, but only after the last accepted one', () => {
  const secret = newCodeSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  const nowMs = 1_000_000 * 30_000 + 7;
  for (const step of [999_999, 1_000_000, 1_000_001]) {
    assert.equal(stepOf(secret, codeAt(secret, step), nowMs, null), step);
    assert.equal(stepOf(secret, codeAt(secret, step), nowMs, step), undefined);
    assert.equal(stepOf(secret, codeAt(secret, step), nowMs, step - 1), step);
  }
  for (const step of [999_998, 1_000_002]) {
    assert.equal(stepOf(secret, codeAt(secret, step), nowMs, null), undefined);
  }
  const code = codeAt(secret, 1_000_000);
  assert.equal(stepOf(secret, `${code.slice(0, 3)} ${code.slice(3)}`, nowMs, null), 1_000_000);
  for (const wrong of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦']) {
    assert.equal(stepOf(secret, wrong, nowMs, null), undefined, wrong);
  }
});

test('tells the app the owner of the codes', () => {
  const uri = codeUri('ABCD', 'maria+loja@loja.cv');
  assert.equal(uri, 'otpauth://totp/Zimbo:maria%2Bloja%40loja.cv?secret=ABCD&issuer=Zimbo');
});

test('creates distinct recovery codes, and accepts any spelling', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes)
    assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const [code] = codes as [string];
  assert.deepEqual(
    hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`),
    hashRecoveryCode(code),
  );
});
