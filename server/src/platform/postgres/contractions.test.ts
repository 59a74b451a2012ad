import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query, setUp } from '../../../test/support/migrations.ts';
import { readMigrations } from './migration-files.ts';

const oldest = '-- Oldest program: 0.2.0\n';
const contraction = `${oldest}-- Contract\nALTER TABLE account DROP old;`;
const files = {
  '0001-create.sql': 'CREATE TABLE account (id int, old text, kept text);',
  '0002-drop.sql': contraction,
  '0003-more.sql': `${oldest}ALTER TABLE account ADD name text NOT NULL DEFAULT ''; CREATE INDEX account_name ON account (name);`,
  '0004-index.sql': `${oldest}-- Concurrently\nCREATE INDEX CONCURRENTLY account_kept ON account (kept);`,
};
const programVersion = '0.2.0';
const nobodyRuns = async () => {};

/** Everything that makes up a schema, as text. */
const schemaText = `
SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') AS part
FROM information_schema.columns WHERE table_schema = current_schema()
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = current_schema()::regnamespace
UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
ORDER BY 1`;

test('postpones a contraction until requested, and applies everything else', async (t) => {
  const { '0001-create.sql': first, ...later } = files;
  const { url, write, run } = await setUp(t, { '0001-create.sql': first });
  await run({ programVersion });
  for (const [file, sql] of Object.entries(later)) await write(file, sql);
  const told: string[] = [];
  const report = (words: string) => void told.push(words);
  assert.deepEqual((await run({ programVersion, report })).applied, [
    '0003-more.sql',
    '0004-index.sql',
  ]);
  assert.deepEqual((await run({ programVersion, report })).applied, []);
  assert.deepEqual(told, [], 'a postponed contraction causes no warning at each start');
  await query(url, 'SELECT old FROM account');
  assert.deepEqual(await run({ programVersion, contract: nobodyRuns }), {
    applied: ['0002-drop.sql'],
  });
  await assert.rejects(query(url, 'SELECT old FROM account'));
});

test('yields the same schema with contractions last as in order', async (t) => {
  const inOrder = await setUp(t, files);
  assert.deepEqual((await inOrder.run({ programVersion })).applied, Object.keys(files));
  const { '0001-create.sql': first, ...later } = files;
  const late = await setUp(t, { '0001-create.sql': first });
  await late.run({ programVersion });
  for (const [file, sql] of Object.entries(later)) await late.write(file, sql);
  await late.run({ programVersion });
  await late.run({ programVersion, contract: nobodyRuns });
  const schema = await query(inOrder.url, schemaText);
  assert.ok(schema.length > 5);
  assert.deepEqual(await query(late.url, schemaText), schema);
});

test('yields the same schema with our own contractions last', async (t) => {
  const migrations = await readMigrations();
  const contractions = migrations.filter(({ kind }) => kind === 'CONTRACTS');
  if (contractions.length === 0) return t.skip('none contracts');
  const [first, ...later] = migrations.map(({ name, sql }) => [name, sql] as const);
  const inOrder = await setUp(t, Object.fromEntries([first!, ...later]));
  await inOrder.run();
  const late = await setUp(t, Object.fromEntries([first!]));
  await late.run();
  for (const [name, sql] of later) await late.write(name, sql);
  await late.run({ contract: nobodyRuns });
  assert.deepEqual(await query(late.url, schemaText), await query(inOrder.url, schemaText));
});

test('leaves nothing behind when a contraction is refused', async (t) => {
  const { '0001-create.sql': first } = files;
  const { url, write, run } = await setUp(t, { '0001-create.sql': first });
  await run({ programVersion });
  await write('0002-drop.sql', contraction);
  const contract = async () => {
    throw new Error('one runs');
  };
  await assert.rejects(run({ programVersion, contract }), /one runs/);
  await query(url, 'SELECT old FROM account');
  assert.equal((await query(url, 'SELECT FROM schema_migrations')).length, 1);
});
