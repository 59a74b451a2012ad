import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { create, query, setUp } from '../../../test/support/migrations.ts';
import { readMigrations } from './migration-files.ts';
import { isAtLeast } from './program-version.ts';

/** A database migrated by Zimbo 0.3.0, and the files of an older version. */
async function migratedByNewer(t: TestContext) {
  const world = await setUp(t, {
    '0001-create.sql': create,
    '0002-name.sql': '-- Oldest program: 0.2.0\nALTER TABLE account ADD name text;',
    '0003-index.sql': '-- Oldest program: 0.1.5\nCREATE INDEX ON account (id);',
  });
  await world.run({ programVersion: '0.3.0' });
  for (const newer of ['0002-name.sql', '0003-index.sql']) await rm(join(world.directory, newer));
  return world;
}

test('records the oldest compatible program of each migration', async (t) => {
  const { url } = await migratedByNewer(t);
  assert.deepEqual(
    await query(url, 'SELECT oldest_program AS oldest FROM schema_migrations ORDER BY number'),
    [{ oldest: '0.1.0' }, { oldest: '0.2.0' }, { oldest: '0.1.5' }],
  );
});

test('starts on a newer but compatible database, and reports it', async (t) => {
  const { run } = await migratedByNewer(t);
  for (const programVersion of ['0.2.0', '0.2.1', '0.10.0']) {
    const told: string[] = [];
    const report = (words: string) => void told.push(words);
    assert.deepEqual(await run({ programVersion, report }), { applied: [] });
    assert.equal(told.length, 1);
    assert.match(told[0]!, /0002-name\.sql of Zimbo 0\.3\.0, 0003-index\.sql of Zimbo 0\.3\.0/);
  }
});

test('refuses a program that is too old for one of the migrations, and names what to start', async (t) => {
  const { run } = await migratedByNewer(t);
  for (const programVersion of ['0.1.0', '0.1.9', '0.2.0-rc.1']) {
    await assert.rejects(run({ programVersion }), {
      name: 'StartError',
      message: /Zimbo 0\.3\.0 applied 0002-name\.sql, which.* cannot work with/,
      hint: 'Start Zimbo 0.2.0 or later.',
    });
  }
});

test('accepts a migration without a named program only if it knows it', async (t) => {
  const { url, run } = await migratedByNewer(t);
  await query(url, 'UPDATE schema_migrations SET oldest_program = NULL WHERE number = 3');
  await assert.rejects(run({ programVersion: '0.2.0' }), {
    message: /applied 0003-index\.sql/,
    hint: 'Start Zimbo 0.3.0 or later.',
  });
  // Builds between two releases have the same version.
  await assert.rejects(run({ programVersion: '0.3.0' }), {
    hint: /^Start the program that applied the migration, a newer build of Zimbo 0\.3\.0/,
  });
});

test('compares known migrations although the database is newer', async (t) => {
  const { write, run } = await migratedByNewer(t);
  await write('0001-create.sql', `${create} -- a harmless remark`);
  await assert.rejects(run({ programVersion: '0.2.0' }), {
    message: /0001-create\.sql was changed/,
  });
});

test('upgrades a database of a program that did not record it yet', async (t) => {
  const { url, write, run } = await setUp(t, { '0001-create.sql': create });
  await run();
  await query(url, 'ALTER TABLE schema_migrations DROP oldest_program');
  await write('0002-name.sql', '-- Oldest program: 0.2.0\nALTER TABLE account ADD name text;');
  assert.deepEqual(await run(), { applied: ['0002-name.sql'] });
  assert.deepEqual(
    await query(url, 'SELECT oldest_program AS oldest FROM schema_migrations ORDER BY number'),
    [{ oldest: null }, { oldest: '0.2.0' }],
  );
});

test('names the oldest program in the first line of each file from the eighth on', async (t) => {
  const seven = Array.from({ length: 7 }, (_, index) => [`000${index + 1}-a.sql`, 'SELECT 1;']);
  const { write, run } = await setUp(t, Object.fromEntries(seven));
  for (const wrong of [
    'SELECT 1;',
    '-- Oldest program: 0.2\nSELECT 1;',
    '-- Adds nothing.\n-- Oldest program: 0.2.0\nSELECT 1;',
  ]) {
    await write('0008-b.sql', wrong);
    await assert.rejects(run(), { name: 'StartError', message: /first line .* 0008-b\.sql must/ });
  }
  await write('0008-b.sql', '-- Oldest program: 0.2.0\nSELECT 1;');
  assert.equal((await run()).applied.length, 8);
});

test('requires no newer program than the one that brings the migration', async () => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
  const [version] = manifest.version.split('-');
  for (const { name, oldestProgram } of await readMigrations())
    assert.ok(isAtLeast(version!, oldestProgram), `${name} needs ${oldestProgram}`);
});
