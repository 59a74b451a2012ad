import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstVersionOf } from '../idempotency/idempotency.ts';
import { canonicalJson } from './canonical-json.ts';

/** What arrives in a body: JSON, parsed. */
const bodies = fc.json({ maxDepth: 5 }).map((text): unknown => JSON.parse(text));

/** The same value with the keys of every object, at each depth, in the opposite order. */
function turnedRound(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedRound);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turnedRound(member)]),
  );
}

test('ignores the order of keys at each depth', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      assert.equal(canonicalJson(turnedRound(body)), canonicalJson(body));
      assert.deepEqual(firstVersionOf(turnedRound(body)), firstVersionOf(body));
    }),
  );
  const one = { amount: 1, metadata: { a: [{ x: 1, y: { q: 1, p: 2 } }], b: 2 } };
  const other = { metadata: { b: 2, a: [{ y: { p: 2, q: 1 }, x: 1 }] }, amount: 1 };
  assert.notEqual(JSON.stringify(one), JSON.stringify(other));
  assert.deepEqual(firstVersionOf(one), firstVersionOf(other));
});

test('keeps everything of a body in its canonical form', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      // JSON has no negative zero once it is written.
      assert.deepEqual(JSON.parse(canonicalJson(body)), JSON.parse(JSON.stringify(body)));
    }),
  );
});

test('distinguishes requests that differ in anything but the order of keys', () => {
  const different: unknown[] = [
    {},
    [],
    '',
    null,
    { a: 1 },
    { a: 2 },
    { a: '1' },
    { a: 1.5 },
    { a: true },
    { a: 'true' },
    { a: null },
    { a: 'null' },
    { a: {} },
    { a: [] },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: [1, 2, 2] },
    { a: [[1], 2] },
    { a: { b: 1 } },
    { a: { b: 1, c: 1 } },
    { a: 1, b: 1 },
    { b: 1 },
    { A: 1 },
    { 'a ': 1 },
    { a: ' 1' },
    { a: 'é' },
    { a: 'e\u0301' },
    { 'a":1,"b': 1 },
    { 1: 'a' },
    { '01': 'a' },
    JSON.parse('{"__proto__":1}'),
  ];
  const hashes = different.map((body) => firstVersionOf(body).toString('hex'));
  assert.equal(new Set(hashes).size, different.length);
});

test('hashes a request to the SHA-256 of its canonical form, in every release', () => {
  const body = { operator: 'MOCK', metadata: { 2: 'é', b: [1, { d: null, c: '' }] }, amount: 10 };
  const canonical =
    '{"amount":10,"metadata":{"2":"é","b":[1,{"c":"","d":null}]},"operator":"MOCK"}';
  assert.equal(canonicalJson(body), canonical);
  assert.equal(
    firstVersionOf({ operator: 'MOCK', amount: 10_000 }).toString('hex'),
    '78a0cf07e7be039bfd6b05c88492f34512ea12625069c4c4b2dc44d35b5c6397',
  );
});
