import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyMissing } from './programs.ts';
import { upgradeUnderLoad } from './upgrade.ts';

/** The last version before indexes were created concurrently and contractions waited. */
const older = '3bbf22af6079db530a6e7629e0648de772bc4b83';

test('upgrades and downgrades under load without a failed request or a loss', {
  timeout: 600_000,
  skip: whyMissing(older) ?? false,
}, async (context) => {
  const { requests, failed, broken, migrations, acknowledged } = await upgradeUnderLoad({
    from: older,
    answers: 300,
    seed: 18,
    tell: (line) => context.diagnostic(line),
  });
  assert.deepEqual(failed, []);
  assert.deepEqual(broken, []);
  assert.ok(requests >= 1_500 && acknowledged > 0);
  assert.ok(migrations.length > 0, 'the newer version brought migrations');
});
