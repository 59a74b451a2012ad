/** The first query on a database that takes no writes explains the reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { runZimbo } from '../../../test/support/process.ts';
import { isTransient } from './transient-errors.ts';
import { explainWriteProblem } from './write-access.ts';

const commands = [['migrate'], ['start'], ['doctor']];

async function assertTold(url: string, sentence: RegExp): Promise<void> {
  const environment = { DATABASE_URL: url, ZIMBO_SECRET_KEY: '01'.repeat(32), PORT: '0' };
  for (const args of commands) {
    const { code, stdout, stderr } = await runZimbo(args, environment);
    assert.equal(code, 1, args.join(' '));
    assert.match(stdout + stderr, sentence);
    assert.doesNotMatch(stdout + stderr, /^ {4}at /m);
  }
}

test('refuses a database with read-only sessions, with instructions', async (context) => {
  const { url } = await testDatabase(context);
  const name = new URL(url).pathname.slice(1);
  await query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await assertTold(url, /can only read: default_transaction_read_only is on/);
});

test('refuses a role that may not write a table', async (context) => {
  const { url } = await testDatabase(context);
  await query(url, 'REVOKE INSERT, UPDATE ON payments FROM CURRENT_USER');
  await assertTold(url, /may not read and write the tables of Zimbo/);
});

test('refuses a database with another program’s migrations', async (context) => {
  const url = await emptyDatabase(context);
  await query(url, 'CREATE TABLE schema_migrations (version text PRIMARY KEY)');
  await assertTold(url, /has another program.s table schema_migrations/);
  const looking = await runZimbo(['ledger', 'check'], { DATABASE_URL: url });
  assert.equal(looking.code, 1);
  assert.match(looking.stderr, /^There is no Zimbo in the database \S+ yet/);
});

test('waits for a standby, which may be promoted', () => {
  const writes = {
    role: 'zimbo',
    isStandby: true,
    isReadOnly: true,
    mayWrite: true,
    hasForeignMigrations: false,
  };
  assert.ok(isTransient(explainWriteProblem(writes)));
  assert.equal(explainWriteProblem({ ...writes, isStandby: false, isReadOnly: false }), undefined);
});
