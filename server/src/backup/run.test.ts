import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { contentsOf, programVersion, restoreInto, testFolder } from '../../test/support/backup.ts';
import { emptyDatabase, testDatabase } from '../../test/support/database.ts';
import { query } from '../../test/support/embedded-postgres.ts';
import type { BackupSetting } from '../config/backup-variables.ts';
import { oneTimeKey } from './age.ts';
import { fileSource } from './file.ts';
import { checkRestorable } from './restore.ts';
import { runBackup } from './run.ts';

const dayMs = 86_400_000;

const setting = (path: string, more: Partial<BackupSetting> = {}): BackupSetting => ({
  to: { kind: 'folder', path },
  schedule: undefined,
  timeZone: 'UTC',
  recipients: [],
  keepMs: undefined,
  keepLast: 1,
  isVerified: true,
  verifyDatabaseUrl: undefined,
  s3: undefined,
  ...more,
});

async function world(context: TestContext, more: Partial<BackupSetting> = {}) {
  const { url } = await testDatabase(context);
  const folder = await testFolder(context);
  const verifyDatabaseUrl = await emptyDatabase(context);
  const own = setting(folder, { verifyDatabaseUrl, ...more });
  const run = (options: Partial<Parameters<typeof runBackup>[0]> = {}) =>
    runBackup({ url, setting: own, embeddedIn: undefined, programVersion, ...options });
  const rows = () =>
    query(url, 'SELECT *, verified_at IS NOT NULL AS verified FROM backups ORDER BY began_at');
  return { url, folder, verifyDatabaseUrl, setting: own, run, rows };
}

test('an encrypted backup is tried by restoring it, recorded, and opened by its key alone', async (context) => {
  const key = await oneTimeKey();
  const { url, folder, verifyDatabaseUrl, run, rows } = await world(context, {
    recipients: [key.recipient],
  });
  const made = await run();
  assert.equal(made?.isVerified, true);
  const [name] = await readdir(folder);
  assert.match(name!, /^zimbo-\d{8}T\d{6}Z-[0-9a-f]{6}\.backup\.gz\.age$/);
  const [row] = await rows();
  assert.deepEqual(
    [row!.place, row!.name, row!.is_encrypted, row!.verified, row!.error],
    [folder, name, true, true, null],
  );
  assert.equal(Number(row!.bytes), (await readFile(join(folder, name!))).length);
  assert.deepEqual(await contentsOf(verifyDatabaseUrl), {});

  const file = join(folder, name!);
  const open = (identities: string[]) =>
    checkRestorable(fileSource(file, identities), { secretKeys: 'lost' });
  await assert.rejects(open([]), { message: /is encrypted\.$/ });
  await assert.rejects(open([(await oneTimeKey()).identity]), { message: /for another key/ });
  const target = await emptyDatabase(context);
  await restoreInto(target, file, { identities: [key.identity] });
  const { backups: _own, ...expected } = await contentsOf(url);
  const { backups: _theirs, ...restored } = await contentsOf(target);
  assert.deepEqual(restored, expected);
});
