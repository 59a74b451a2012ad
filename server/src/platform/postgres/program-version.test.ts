import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtLeast } from './program-version.ts';

test('orders versions by semantic versioning', () => {
  const ordered = [
    '0.1.0',
    '0.2.0-alpha',
    '0.2.0-alpha.1',
    '0.2.0-alpha.beta',
    '0.2.0-beta',
    '0.2.0-beta.2',
    '0.2.0-beta.11',
    '0.2.0-rc.1',
    '0.2.0',
    '0.2.1',
    '0.10.0',
    '1.0.0',
    '10.0.0',
  ];
  for (const [at, version] of ordered.entries()) {
    for (const [otherAt, other] of ordered.entries())
      assert.equal(isAtLeast(version, other), at >= otherAt, `${version} and ${other}`);
  }
});

test('ignores the build, and never accepts a malformed version', () => {
  assert.ok(isAtLeast('1.0.0+20261121', '1.0.0'));
  assert.ok(isAtLeast('1.0.0', '1.0.0+20261121'));
  for (const wrong of ['', '1', '1.0', 'v1.0.0', '1.0.0.0', 'future']) {
    assert.equal(isAtLeast('99.0.0', wrong), false, wrong);
    assert.equal(isAtLeast(wrong, '0.0.1'), false, wrong);
  }
});
