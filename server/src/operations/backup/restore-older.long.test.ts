import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backupOf, now, restoreInto, tablesOf, testFolder } from '../../../test/support/backup.ts';
import { emptyDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { migrate } from '../../platform/postgres/migrations.ts';

test('restores a backup whose database lacks a contraction', async (context) => {
  const directory = join(await testFolder(context), 'migrations');
  await mkdir(directory);
  const write = (name: string, sql: string) => writeFile(join(directory, name), sql);
  await write('0001-note.sql', 'CREATE TABLE note (body text, old text)');
  const source = await emptyDatabase(context);
  await migrate(source, { directory, now });
  await query(source, `INSERT INTO note VALUES ('kept')`);
  const header = '-- Oldest program: 0.1.0\n-- ';
  await write('0002-drop.sql', `${header}Contract\nALTER TABLE note DROP old`);
  await write('0003-title.sql', 'CREATE TABLE title (body text)');
  await write(
    '0004-index.sql',
    `${header}Concurrently\nCREATE INDEX CONCURRENTLY i ON note (body)`,
  );
  assert.equal((await migrate(source, { directory, now })).applied.length, 2);
  const { file } = await backupOf(context, source);
  await write(
    '0005-index.sql',
    `${header}Concurrently\nCREATE INDEX CONCURRENTLY j ON note (body)`,
  );

  const target = await emptyDatabase(context);
  const { applied } = await restoreInto(target, file, { directory });
  assert.deepEqual(applied, ['0002-drop.sql', '0005-index.sql']);
  assert.deepEqual(await query(target, 'SELECT * FROM note'), [{ body: 'kept' }]);
  const indexes = await query(
    target,
    `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'note' ORDER BY 1`,
  );
  assert.deepEqual(indexes, [{ name: 'i' }, { name: 'j' }]);
  assert.deepEqual(await migrate(target, { directory, now }), { applied: [] });
});

test('migrates an older backup, and keeps its history', async (context) => {
  const directory = join(await testFolder(context), 'migrations');
  await mkdir(directory);
  const write = (name: string, sql: string) => writeFile(join(directory, name), sql);
  await write('0001-note.sql', 'CREATE TABLE note (body text)');
  const source = await emptyDatabase(context);
  await migrate(source, { directory, now: new Date('2020-01-01T00:00:00Z') });
  await query(source, `INSERT INTO note VALUES ('kept')`);
  // Earlier programs did not record the version.
  await query(source, 'ALTER TABLE schema_migrations DROP oldest_program');
  const { file } = await backupOf(context, source);
  await write('0002-title.sql', `ALTER TABLE note ADD title text; UPDATE note SET title = 'new'`);

  const target = await emptyDatabase(context);
  const { applied } = await restoreInto(target, file, { directory });
  assert.deepEqual(applied, ['0002-title.sql']);
  assert.deepEqual(await query(target, 'SELECT * FROM note'), [{ body: 'kept', title: 'new' }]);
  const history = await query(
    target,
    `SELECT name, extract(year FROM applied_at)::integer AS year, oldest_program AS oldest
     FROM schema_migrations ORDER BY 1`,
  );
  assert.deepEqual(history, [
    { name: '0001-note.sql', year: 2020, oldest: null },
    { name: '0002-title.sql', year: 2026, oldest: '0.1.0' },
  ]);
  assert.deepEqual(await migrate(target, { directory, now }), { applied: [] });

  await write('0002-title.sql', 'SELECT 1/0');
  const another = await emptyDatabase(context);
  await assert.rejects(restoreInto(another, file, { directory }), /0002-title\.sql failed/);
  await eventually('it is empty', async () => (await tablesOf(another)).length === 0);
  await write('0001-note.sql', 'CREATE TABLE note (body text, another text)');
  await assert.rejects(restoreInto(another, file, { directory }), /0001-note\.sql differs between/);
});
