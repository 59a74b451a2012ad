import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { programVersion, restoreInto } from '../../../test/support/backup.ts';
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { mayMount, smallDisk } from '../../../test/support/small-disk.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { backupFinding } from '../doctor/backup-check.ts';
import { runBackup } from './run.ts';

test('leaves nothing of a backup on a full disk, and keeps the last good one', {
  skip: mayMount() ? false : 'only root may mount a small disk',
}, async (context) => {
  const { url, database } = await testDatabase(context);
  const path = await smallDisk(context, '1m');
  const { backup } = loadConfig({});
  // Every old backup would be removed after a good one.
  const setting = {
    ...backup,
    to: { kind: 'folder', path },
    isVerified: false,
    keepMs: 1,
  } as const;
  const run = () => runBackup({ url, setting, embeddedIn: undefined, programVersion });
  const good = await run();
  await query(url, `UPDATE backups SET began_at = began_at - interval '25 hours'`);
  await query(
    url,
    `INSERT INTO merchants SELECT gen_random_uuid(), md5(random()::text), now() FROM generate_series(1, 50000)`,
  );
  for (let night = 0; night < 2; night += 1) {
    await assert.rejects(run(), {
      name: 'StartError',
      message: /the disk is full\. The incomplete file was removed\.$/,
      hint: 'Make room, or keep backups somewhere else.',
    });
    assert.deepEqual(
      (await readdir(path)).map((name) => join(path, name)),
      [good!.file],
    );
  }
  const { status, figure } = await backupFinding({
    database,
    clock: systemClock,
    config: { backup },
  });
  assert.equal(status, 'warning');
  assert.match(
    figure,
    /^the last good one is 25 h old.*; the last one failed: .* the disk is full/,
  );
  const target = await emptyDatabase(context);
  await restoreInto(target, good!.file);
  assert.deepEqual(await query(target, 'SELECT id FROM merchants'), []);
});
