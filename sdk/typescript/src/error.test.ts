import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ErrorCode, errorOfAnswer } from './error.ts';
import { gatewayErrorCodes } from './generated.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'errors.md'), 'utf8');

/** Compiles only if every code has an entry, and no other exists. */
const meanings: Record<ErrorCode, 'of the gateway' | 'of this client'> = {
  VALIDATION_ERROR: 'of the gateway',
  UNAUTHORIZED: 'of the gateway',
  FORBIDDEN: 'of the gateway',
  ADDRESS_NOT_ALLOWED: 'of the gateway',
  KEY_LIMIT_EXCEEDED: 'of the gateway',
  NOT_FOUND: 'of the gateway',
  INVALID_STATE: 'of the gateway',
  REFUND_EXCEEDS_PAYMENT: 'of the gateway',
  INSUFFICIENT_BALANCE: 'of the gateway',
  IDEMPOTENCY_KEY_REUSED: 'of the gateway',
  LIMIT_REACHED: 'of the gateway',
  RATE_LIMITED: 'of the gateway',
  UNAVAILABLE: 'of the gateway',
  INTERNAL_ERROR: 'of the gateway',
  CONNECTION_FAILED: 'of this client',
  TIMEOUT: 'of this client',
  UNEXPECTED_ANSWER: 'of this client',
};

test('has the codes of the page on errors', () => {
  const rows = [...page.matchAll(/^\|.*\| \d{3} \| `(\w+)` \|$/gm)].map(([, code]) => code!);
  assert.ok(rows.length >= 9);
  assert.deepEqual([...gatewayErrorCodes].toSorted(), [...new Set(rows)].toSorted());
  const known = Object.keys(meanings).filter(
    (code) => meanings[code as ErrorCode] === 'of the gateway',
  );
  assert.deepEqual(known, [...gatewayErrorCodes]);
});

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

test('names the rejected field, if there is one', () => {
  const of = (param: string) =>
    errorOfAnswer(answer(400), `{"error":{"message":"m","code":"VALIDATION_ERROR"${param}}}`, null);
  assert.equal(of(',"param":"items[0].quantity"').param, 'items[0].quantity');
  assert.equal(of('').param, null);
});

test('lists all problems of a request with several, and none of a request with one', () => {
  const details = [
    { param: 'amount', message: 'amount is required' },
    { param: 'colour', message: 'unknown field "colour"' },
  ];
  const text = (error: object) =>
    JSON.stringify({ error: { ...details[0], code: 'VALIDATION_ERROR', ...error } });
  assert.deepEqual(errorOfAnswer(answer(400), text({ details }), null).details, details);
  assert.deepEqual(errorOfAnswer(answer(400), text({}), null).details, []);
});

test('keeps the code, message, status and request id of a gateway error', () => {
  const text = '{"error":{"message":"amount must be …","code":"VALIDATION_ERROR"}}';
  const error = errorOfAnswer(answer(400, { 'x-request-id': 'r-1' }), text, 'key-1');
  const { name, code, message, status, requestId, idempotencyKey, retryAfterSeconds } = error;
  assert.deepEqual(
    { name, code, message, status, requestId, idempotencyKey, retryAfterSeconds },
    {
      name: 'ZimboError',
      code: 'VALIDATION_ERROR',
      message: 'amount must be …',
      status: 400,
      requestId: 'r-1',
      idempotencyKey: 'key-1',
      retryAfterSeconds: null,
    },
  );
});

test('reports an answer that no gateway gives as unexpected, and quotes it', () => {
  const bodies = ['<html>', '', 'null', '"x"', '{"error":"down"}', '{"error":null}', '[]'];
  for (const body of bodies) {
    const { code, message, status } = errorOfAnswer(answer(502), body, null);
    assert.equal(code, 'UNEXPECTED_ANSWER');
    assert.equal(status, 502);
    assert.match(message, /502/, body);
  }
  const newer = errorOfAnswer(answer(409), '{"error":{"message":"No.","code":"NEW_ONE"}}', null);
  assert.deepEqual([newer.code, newer.message], ['NEW_ONE', 'No.'], 'of a newer gateway');
});

test('reads Retry-After as seconds or a date', () => {
  const seconds = (headers: Record<string, string>) =>
    errorOfAnswer(answer(503, headers), '', null).retryAfterSeconds;
  const date = 'Sat, 21 Nov 2026 09:30:00 GMT';
  assert.equal(seconds({ 'retry-after': '7' }), 7);
  assert.equal(seconds({ 'retry-after': 'Sat, 21 Nov 2026 09:30:20 GMT', date }), 20);
  assert.equal(seconds({ 'retry-after': 'Sat, 21 Nov 2026 09:29:00 GMT', date }), 0);
  assert.equal(seconds({ 'retry-after': 'Saturday, 21-Nov-26 09:30:20 GMT', date }), 20);
  assert.equal(seconds({ 'retry-after': 'Sat Nov 21 09:30:20 2026', date }), 20);
  assert.equal(seconds({ 'retry-after': '7 ' }), 7);
  assert.equal(seconds({ 'retry-after': '7, 60, Sat, 21 Nov 2026 09:30:20 GMT', date }), 60);
  assert.equal(seconds({ 'retry-after': 'soon', date }), null);
  assert.equal(seconds({ 'retry-after': '-7', date }), null);
  assert.equal(seconds({ 'retry-after': '1.5', date }), null);
  assert.equal(seconds({}), null);
});
