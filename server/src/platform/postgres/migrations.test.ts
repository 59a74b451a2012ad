import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { create, now, query, setUp } from '../../../test/support/migrations.ts';
import { migrate } from './migrations.ts';

test('applies and records each migration once, in order', async (t) => {
  const { url, write, run } = await setUp(t, {
    '0002-fill.sql': 'INSERT INTO account VALUES (1); INSERT INTO account VALUES (2);',
    '0001-create.sql': create,
  });
  assert.deepEqual(await run(), { applied: ['0001-create.sql', '0002-fill.sql'] });
  assert.deepEqual(await run(), { applied: [] });
  await write('0003-more.sql', 'INSERT INTO account VALUES (3)');
  assert.deepEqual(await run(), { applied: ['0003-more.sql'] });
  assert.deepEqual(await query(url, 'SELECT sum(id)::int AS sum FROM account'), [{ sum: 6 }]);
  assert.deepEqual(
    await query(
      url,
      `SELECT name, applied_at = '${now.toISOString()}' AS now FROM schema_migrations WHERE number = 1`,
    ),
    [{ name: '0001-create.sql', now: true }],
  );
});

test('applies each file once in concurrent processes', async (t) => {
  const { url, run } = await setUp(t, {
    '0001-create.sql': create,
    '0002-fill.sql': 'INSERT INTO account SELECT 1 FROM pg_sleep(0.1)',
  });
  const results = await Promise.all([run(), run(), run()]);
  const applied = results.flatMap((result) => result.applied);
  assert.deepEqual(applied.toSorted(), ['0001-create.sql', '0002-fill.sql']);
  assert.deepEqual(await query(url, 'SELECT count(*)::int FROM account'), [{ count: 1 }]);
});

test('refuses a file that was changed after it was applied', async (t) => {
  const { write, run } = await setUp(t, { '0001-create.sql': create });
  await run();
  await write('0001-create.sql', `${create} -- a harmless remark`);
  await assert.rejects(run(), { name: 'StartError', message: /0001-create\.sql was changed/ });
});

test('ignores line ends of another system', async (t) => {
  const { write, run } = await setUp(t, { '0001-create.sql': 'SELECT 1;\nSELECT 2;\n' });
  await run();
  await write('0001-create.sql', 'SELECT 1;\r\nSELECT 2;\r\n');
  assert.deepEqual(await run(), { applied: [] });
});

test('leaves nothing of a failed migration behind, and keeps earlier ones', async (t) => {
  const { url, write, run } = await setUp(t, {
    '0001-create.sql': create,
    '0002-broken.sql': 'INSERT INTO account VALUES (1);\nINSERT INTO acount VALUES (2);',
  });
  await assert.rejects(run(), { name: 'StartError', message: /0002-broken\.sql failed in line 2/ });
  assert.deepEqual(await query(url, 'SELECT id FROM account'), []);
  await write('0002-broken.sql', 'INSERT INTO account VALUES (2)');
  assert.deepEqual(await run(), { applied: ['0002-broken.sql'] });
});

test('commits a migration and its record together', async (t) => {
  const { url, run } = await setUp(t, {
    '0001-refuse.sql': 'ALTER TABLE schema_migrations ADD CHECK (number < 2);',
    '0002-create.sql': create,
  });
  await assert.rejects(run(), { name: 'StartError', message: /0002-create\.sql failed/ });
  assert.deepEqual(await query(url, `SELECT to_regclass('account') AS account`), [
    { account: null },
  ]);
});

for (const [what, files] of Object.entries({
  'a gap': ['0001-a.sql', '0003-c.sql'],
  'a number used twice': ['0001-a.sql', '0001-b.sql'],
  'a start other than 1': ['0002-a.sql'],
  'a name without a number': ['0001-a.sql', 'fix.sql'],
})) {
  test(`refuses ${what} among the files, and applies nothing`, async (t) => {
    const { url, run } = await setUp(t, Object.fromEntries(files.map((file) => [file, create])));
    await assert.rejects(run(), { name: 'StartError', message: /should be called 000[12]-/ });
    assert.deepEqual(await query(url, `SELECT to_regclass('account') AS account`), [
      { account: null },
    ]);
  });
}

test('rethrows the error of an unreachable server, so that the caller can retry', async () => {
  const url = `postgres://zimbo@localhost/zimbo?host=${join(tmpdir(), `zimbo-${randomUUID()}`)}`;
  await assert.rejects(migrate(url, { now }), { code: 'ENOENT' });
});
