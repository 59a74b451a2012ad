import assert from 'node:assert/strict';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  backupOf,
  contentsOf,
  now,
  programVersion,
  restoreInto,
  testFolder,
} from '../../../test/support/backup.ts';
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { withOption } from '../../platform/postgres/url-options.ts';
import { fileSink } from './file.ts';
import { withSession } from './session.ts';
import { writeBackup } from './write.ts';

test('creates one file, readable only by its owner', async (context) => {
  const { url } = await testDatabase(context);
  const { file, folder } = await backupOf(context, url);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['zimbo.backup.gz']);
});

test('never overwrites a file', async (context) => {
  const { url } = await testDatabase(context);
  const folder = await testFolder(context);
  const file = join(folder, 'zimbo.gz');
  const back = () => writeBackup({ url, to: fileSink(file), programVersion });
  await writeFile(file, 'precious');
  await assert.rejects(back(), {
    message: /zimbo\.gz" already exists/,
    hint: 'Name a new file.',
  });
  await writeFile(`${file}.partial`, 'of another backup');
  const another = { url, to: fileSink(`${file}.2`), programVersion };
  await writeFile(`${file}.2.partial`, 'of another backup');
  await assert.rejects(writeBackup(another), {
    message:
      /zimbo\.gz\.2\.partial" already exists: another backup is writing it, or one was interrupted/,
  });
  assert.equal((await stat(file)).size, 'precious'.length);
  assert.equal((await readdir(folder)).length, 3);
  const nowhere = { url, to: fileSink(join(folder, 'nowhere', 'zimbo.gz')), programVersion };
  await assert.rejects(writeBackup(nowhere), { message: /cannot be written \(ENOENT\)/ });
});

test('refuses a database without Zimbo', async (context) => {
  const url = await emptyDatabase(context);
  const folder = await testFolder(context);
  await assert.rejects(writeBackup({ url, to: fileSink(join(folder, 'a.gz')), programVersion }), {
    message: /there is nothing to back up/,
  });
  assert.deepEqual(await readdir(folder), []);
});

/** More rows than the buffers hold. */
async function largeDatabase(context: Parameters<typeof testDatabase>[0]) {
  const { url } = await testDatabase(context);
  await query(
    url,
    `INSERT INTO merchants SELECT gen_random_uuid(), repeat(md5(n::text), 300), now()
     FROM generate_series(1, 4000) AS n`,
  );
  return { url, folder: await testFolder(context) };
}

test('leaves no file of a stopped backup', async (context) => {
  const { url, folder } = await largeDatabase(context);
  const stopping = new AbortController();
  const backup = writeBackup({
    url,
    to: fileSink(join(folder, 'a.gz')),
    programVersion,
    onProgress: () => stopping.abort(),
    signal: stopping.signal,
  });
  await assert.rejects(backup, { message: 'The backup was stopped, and its file removed.' });
  assert.deepEqual(await readdir(folder), []);
});

test('leaves no file when the database is lost', async (context) => {
  const { url, folder } = await largeDatabase(context);
  let killing: Promise<unknown> | undefined;
  const backup = writeBackup({
    url,
    to: fileSink(join(folder, 'a.gz')),
    programVersion,
    onProgress() {
      killing ??= query(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'zimbo backup' AND datname = current_database()`,
      );
    },
  });
  await assert.rejects(backup);
  await killing;
  assert.deepEqual(await readdir(folder), []);
});

test('excludes rows written during a backup', async (context) => {
  const { url, folder } = await largeDatabase(context);
  const before = await contentsOf(url);
  const file = join(folder, 'a.gz');
  let writing: Promise<unknown> | undefined;
  await writeBackup({
    url,
    to: fileSink(file),
    programVersion,
    onProgress({ table }) {
      assert.notEqual(table, 'tenants');
      writing ??= query(
        url,
        `WITH merchant AS (INSERT INTO merchants VALUES (gen_random_uuid(), 'late', now()) RETURNING id)
         INSERT INTO tenants SELECT gen_random_uuid(), id, 'live', now() FROM merchant`,
      );
    },
  });
  await writing;
  const target = await emptyDatabase(context);
  await restoreInto(target, file);
  assert.deepEqual(await contentsOf(target), before);
});

test('writes values the same for all settings in the URL', async (context) => {
  const { url } = await testDatabase(context);
  await query(
    url,
    `INSERT INTO merchants VALUES (gen_random_uuid(), 'Loja', '2026-11-04 05:06:07.891011+00')`,
  );
  const asked =
    '-c timezone=Atlantic/Cape_Verde -c datestyle=SQL,DMY -c bytea_output=escape -c idle_session_timeout=1h';
  const foreign = withOption(url, asked);
  const { file } = await backupOf(context, foreign);
  const target = await emptyDatabase(context);
  await restoreInto(target, file);
  assert.deepEqual(await contentsOf(target), await contentsOf(url));
  await withSession(foreign, async (client) => {
    const { rows } = await client.query('SHOW idle_session_timeout');
    assert.deepEqual(rows, [{ idle_session_timeout: '0' }]);
  });
});

test('backs up a database without migrating it', async (context) => {
  const directory = join(await testFolder(context), 'migrations');
  await mkdir(directory);
  await writeFile(join(directory, '0001-note.sql'), 'CREATE TABLE note (body text)');
  const url = await emptyDatabase(context);
  await migrate(url, { directory, now });
  const { file } = await backupOf(context, url);
  const target = await emptyDatabase(context);
  await restoreInto(target, file, { directory });
  assert.deepEqual(Object.keys(await contentsOf(target)), ['note', 'schema_migrations']);
});
