import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hmac } from './hmac.ts';

const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

test('equals Node’s HMAC-SHA-256 for any key and data, also when reused', () => {
  const plan = fc.record({
    key: bytes(200),
    data: fc.array(fc.oneof(bytes(300), fc.string({ unit: 'grapheme' })), { minLength: 1 }),
  });
  fc.assert(
    fc.property(plan, ({ key, data }) => {
      for (const each of data) {
        const expected = createHmac('sha256', key).update('prefix.').update(each);
        assert.equal(hmac(key, 'prefix.', each, 'hex'), expected.digest('hex'));
      }
    }),
  );
});
