import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { Scratch } from '../../../../test/support/embedded-postgres.ts';
import { StartError } from '../../errors/start-error.ts';

const skip =
  (process.platform !== 'linux' || process.getuid?.() !== 0) &&
  'only root on Linux may mount a small disk';

test('says in one sentence that the disk of DATA_DIR is too small', { skip }, async (t) => {
  const scratch = await Scratch.make(t);
  const { dataDir } = scratch;
  mkdirSync(dataDir);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', dataDir]);
  if (mounted.status !== 0) {
    t.skip('this system lets nobody mount a disk');
    return;
  }
  try {
    await assert.rejects(scratch.open('gateway'), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(
        error.message,
        /^The disk of \S+\/data\S* has too little space for PostgreSQL: free at least 500 MB there, .+\.$/,
      );
      assert.equal(error.hint, undefined);
      return true;
    });
  } finally {
    spawnSync('umount', [dataDir]);
  }
});
