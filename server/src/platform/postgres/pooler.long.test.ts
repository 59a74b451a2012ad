/** A pooler between Zimbo and PostgreSQL must give each session to one client. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { skipWithoutPgbouncer, startPgbouncer } from '../../../test/support/pgbouncer.ts';
import { runZimbo } from '../../../test/support/process.ts';
import { expectUsable } from './check-database.ts';
import { withOption } from './url-options.ts';

const ignored = 'statement_timeout,idle_in_transaction_session_timeout,options';
const tablesText = `SELECT count(*)::integer FROM pg_tables WHERE schemaname = 'public'`;
const locksText = `SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** An empty database, and its URL through a pooler. */
async function pooled(context: TestContext, settings: Record<string, string>) {
  const direct = await emptyDatabase(context);
  await giveSettings(direct);
  const url = await startPgbouncer(context, direct, settings);
  return { direct, url };
}

/** Settings of the role or the database, which apply if a pooler ignores the session's options. */
async function giveSettings(direct: string): Promise<void> {
  const name = new URL(direct).pathname.slice(1);
  for (const setting of ['jit = off', "statement_timeout = '5s'"]) {
    await query(direct, `ALTER DATABASE ${name} SET ${setting}`);
  }
}

async function assertRefused(
  { direct, url }: { direct: string; url: string },
  words: RegExp,
): Promise<void> {
  const environment = { DATABASE_URL: url, ZIMBO_SECRET_KEY: '01'.repeat(32), PORT: '0' };
  for (const args of [['migrate'], ['doctor'], ['ledger', 'check'], ['start']]) {
    const { code, stdout, stderr } = await runZimbo(args, environment);
    const said = stdout + stderr;
    assert.equal(code, 1, said);
    assert.match(said, words, args.join(' '));
    assert.match(said, /pool_mode = session/, args.join(' '));
    assert.doesNotMatch(said, /^ {4}at /m, args.join(' '));
  }
  assert.deepEqual(await query(direct, tablesText), [{ count: 0 }]);
  assert.deepEqual(await query(direct, locksText), [{ count: 0 }]);
}

const skip = skipWithoutPgbouncer;

test('refuses PgBouncer in transaction mode, and leaves nothing behind', {
  skip,
}, async (context) => {
  const settings = { pool_mode: 'transaction', ignore_startup_parameters: ignored };
  await assertRefused(
    await pooled(context, settings),
    /spreads the transactions of one connection/,
  );
});

for (const [mode, server_round_robin] of [
  ['transaction', '1'],
  ['statement', '0'],
] as const) {
  const name = `refuses PgBouncer in ${mode} mode with idle sessions, round robin ${server_round_robin}`;
  test(name, { skip }, async (context) => {
    const settings = { pool_mode: mode, server_round_robin, ignore_startup_parameters: ignored };
    const { url } = await pooled(context, { ...settings, min_pool_size: '5' });
    // Whichever idle session comes next: the check detects both ways of choosing.
    await Promise.all(Array.from({ length: 5 }, () => query(url, 'SELECT pg_sleep(0.2)')));
    await assert.rejects(expectUsable(url), /several sessions/);
  });
}

test('names the parameters PgBouncer must ignore if it refuses settings', {
  skip,
}, async (context) => {
  const words = /refuses the settings of Zimbo's sessions: .*startup parameter/;
  await assertRefused(await pooled(context, { pool_mode: 'session' }), words);
});

test('works through PgBouncer in session mode, with one session left and with many', {
  skip,
}, async (context) => {
  const settings = { pool_mode: 'session', ignore_startup_parameters: ignored };
  const { url } = await pooled(context, settings);
  await expectUsable(url);
  const narrow = await pooled(context, { ...settings, default_pool_size: '1' });
  await expectUsable(narrow.url);
});

test('refuses a pooler that drops settings, unless the role has them', {
  skip,
}, async (context) => {
  const settings = { pool_mode: 'session', ignore_startup_parameters: ignored };
  const url = await startPgbouncer(context, await emptyDatabase(context), settings);
  await assert.rejects(expectUsable(url), /have a different (jit|statement_timeout) than/);
});

test('refuses sessions with another format of instants or bytes', async (context) => {
  const url = await emptyDatabase(context);
  for (const [setting, value] of [
    ['TimeZone', 'Atlantic/Cape_Verde'],
    ['DateStyle', 'German'],
    ['bytea_output', 'escape'],
    ['default_transaction_isolation', 'serializable'],
  ]) {
    const elsewhere = withOption(url, `-c ${setting}=${value}`);
    await assert.rejects(expectUsable(elsewhere), new RegExp(`a different ${setting} than`));
  }
  await expectUsable(url);
});
