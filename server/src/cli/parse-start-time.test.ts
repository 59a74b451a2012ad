import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sinceOf } from './parse-start-time.ts';

test('reads an age or an instant, but no time that depends on the zone of this machine', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 3_600_000 });
  assert.equal(sinceOf('10m'), 3_000_000);
  assert.equal(sinceOf('1h'), 0);
  assert.equal(sinceOf('2026-11-21T08:00:00+01:00'), Date.UTC(2026, 10, 21, 7));
  assert.equal(sinceOf('2026-11-21'), Date.UTC(2026, 10, 21));
  for (const text of [
    '2026-11-21T08:00:00',
    '2026-11-21 08:00',
    '2026-02-30T00:00:00Z',
    '2026-11',
    '2h',
    `${'9'.repeat(300)}d`,
  ])
    assert.throws(() => sinceOf(text), /It must be an age/, text);
});
