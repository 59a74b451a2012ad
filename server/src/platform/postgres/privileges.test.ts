import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backupOf } from '../../../test/support/backup.ts';
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { runZimbo } from '../../../test/support/process.ts';

test('tells a role that may not create tables what an administrator must do', async (context) => {
  const { file } = await backupOf(context, (await testDatabase(context)).url);
  const url = await emptyDatabase(context);
  // The state after an administrator's createdb since PostgreSQL 15, for a role that does not own the database.
  await query(url, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC, pg_database_owner, CURRENT_USER');
  const environment = { DATABASE_URL: url, ZIMBO_SECRET_KEY: '01'.repeat(32), PORT: '0' };
  for (const args of [['start'], ['migrate'], ['restore', file], ['doctor']]) {
    const { code, stdout, stderr } = await runZimbo(args, environment);
    const said = stdout + stderr;
    assert.equal(code, 1, said);
    assert.match(said, /role zimbo may not create tables in the database /, args.join(' '));
    assert.match(said, /ALTER DATABASE "\S+" OWNER TO "zimbo";/, args.join(' '));
    assert.doesNotMatch(said, /^ {4}at /m, args.join(' '));
  }
});
