import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { emptyDatabase } from '../../test/support/database.ts';
import { query } from '../../test/support/embedded-postgres.ts';
import { runZimbo, testDataDir } from '../../test/support/process.ts';

const me = 'me_01kaaaaaaaaaaaaaaaaaaaaaaa';
const month = ['--from', '2026-11-01', '--to', '2026-11-02'];
/** One command for each way to reach the database; none creates an installation. */
const looking = [
  ['ledger', 'check'],
  ['ledger', 'export'],
  ['audit', 'verify'],
  ['audit', 'head'],
  ['review', 'list'],
  ['backup', 'list'],
  ['backup'],
  ['reconcile', '--operator', 'MOCK', '--statement', '/dev/null', ...month],
  ['merchants', 'list'],
  ['keys', 'create', '--merchant', me, '--mode', 'test'],
  ['people', 'list'],
  ['settlements', 'list'],
  ['phones', 'list'],
  ['cells', 'list'],
];
/** These may create an installation, but not with such arguments. */
const refused = [
  ['merchants', 'create', '--name', '\u200b'],
  ['people', 'invite', 'nobody', '--staff', 'admin'],
  ['people', 'invite', 'rui@loja.cv', '--merchant', me, '--role', 'owner'],
  ['admin-keys', 'create', '--label', 'x'.repeat(101), '--permissions', 'audit.read'],
];

const tablesText = `SELECT count(*)::integer FROM pg_tables WHERE schemaname = 'public'`;

test('creates nothing in an empty database when a command only reads or is refused', async (context) => {
  const url = await emptyDatabase(context);
  const environment = { DATABASE_URL: url, ZIMBO_SECRET_KEY: '01'.repeat(32) };
  for (const args of [...looking, ...refused]) {
    const { code, stdout, stderr } = await runZimbo(args, environment);
    assert.notEqual(code, 0, `${args.join(' ')}: ${stdout}`);
    assert.doesNotMatch(stderr, /^ {4}at /m, args.join(' '));
    assert.deepEqual(await query(url, tablesText), [{ count: 0 }], args.join(' '));
  }
  const { code } = await runZimbo(['merchants', 'create', '--name', 'Shop'], environment);
  assert.equal(code, 0);
});

test('creates no embedded database when a command only reads', async (context) => {
  const dataDir = await testDataDir(context);
  const environment = { DATA_DIR: dataDir };
  for (const args of [
    ['ledger', 'check'],
    ['backup', '-'],
    ['migrate', '--check'],
    ['cells', 'list'],
  ]) {
    const { code, stderr } = await runZimbo(args, environment);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, /There is no Zimbo in DATA_DIR/, args.join(' '));
  }
  assert.deepEqual(await readdir(dataDir), []);
});
