import assert from 'node:assert/strict';
import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { ownDataDir, runZimbo, terminalCode } from '../../../test/support/zimbo.ts';
import { ok, runCheck } from '../../operations/doctor/check.ts';
import { dataChecks } from '../../operations/doctor/data-directory-checks.ts';
import { openDatabase } from '../../platform/postgres/database.ts';

type Output = {
  ok: boolean;
  errors: number;
  warnings: number;
  checks: { name: string; status: string; figure: string; advice?: string }[];
};

async function doctor(
  context: Pick<TestContext, 'after'>,
  environment: Record<string, string>,
  ...options: string[]
) {
  const { ended, output } = runZimbo(context, ['doctor', ...options], environment);
  return { code: await ended, ...output };
}

async function doctorJson(
  context: Pick<TestContext, 'after'>,
  environment: Record<string, string>,
): Promise<Output & { code: number | null }> {
  const { code, stdout, stderr } = await doctor(context, environment, '--json');
  assert.equal(stderr, '');
  return { code, ...(JSON.parse(stdout) as Output) };
}

/** Machines differ in free disk space. */
const notWell = ({ checks }: Output) =>
  checks.filter(({ name, status }) => status !== 'ok' && name !== 'Free space');

test('reports a missing DATA_DIR without creating it', async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const result = await doctorJson(inside, { DATA_DIR: dataDir });
  assert.equal(result.code, 0);
  assert.deepEqual(
    notWell(result).map(({ name, status }) => [name, status]),
    [['Server', 'warning']],
  );
  await assert.rejects(stat(dataDir), { code: 'ENOENT' });
});

test('finds an embedded gateway healthy, running or stopped, and leaves it unchanged', async (context) => {
  const { dataDir, inside } = await ownDataDir(context);
  const gateway = runZimbo(inside, ['start'], { PORT: '0', DATA_DIR: dataDir });
  const [, url] = await gateway.says(/Gateway +(http:\S+)/);
  const running = await doctorJson(inside, { DATA_DIR: dataDir });
  assert.deepEqual(notWell(running), []);
  assert.equal(running.code, 0);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  const stopped = await doctorJson(inside, { DATA_DIR: dataDir });
  assert.deepEqual(notWell(stopped), []);
  assert.deepEqual(
    stopped.checks.map(({ name }) => name),
    running.checks.map(({ name }) => name),
  );
  const marker = JSON.parse(await readFile(join(dataDir, 'zimbo.json'), 'utf8'));
  const lockFile = join(dataDir, marker.postgres, 'data', 'postmaster.pid');
  await assert.rejects(stat(lockFile), { code: 'ENOENT' });
  await chmod(join(dataDir, 'secret.key'), 0o644);
  const files = dataChecks({ dataDir }).find(({ name }) => name === 'Files of keys')!;
  const open = await runCheck(files);
  if (process.platform !== 'win32') assert.match(open.figure, /other users can read .*secret\.key/);
});

test('prints a line for each check on your own database, with advice', async (context) => {
  const { url } = await testDatabase(context);
  const withPassword = url.replace('zimbo@', 'zimbo:hunter2@');
  const environment = { DATABASE_URL: withPassword, ZIMBO_SECRET_KEY: '01'.repeat(32) };
  const { code, stdout, stderr } = await doctor(context, environment);
  // The tests' PostgreSQL runs without fsync, which is rightly an error.
  assert.equal(code, 1, stderr);
  assert.match(stdout, /^ {2}✗ Durability {5}off: fsync, full_page_writes, synchronous_commit$/m);
  assert.match(stdout, /^ {2}✓ Ledger {9}correct$/m);
  assert.match(stdout, /^ {19}A power failure can lose committed payments/m);
  assert.match(stdout, /^ {2}1 error/m);
  assert.doesNotMatch(stdout, /hunter2|(01){8}/);
  assert.ok(!stdout.includes(terminalCode));
});

test('reports all wrong settings, each with an example', async (context) => {
  const wrong = { PORT: 'x', LOG_LEVEL: 'loud', ZIMBO_SECRET_KEY: 'hunter2' };
  const { code, checks } = await doctorJson(context, wrong);
  assert.equal(code, 1);
  const [port, level, key] = checks;
  assert.match(port!.figure, /^PORT must be an integer/);
  assert.equal(port!.advice, 'For example: PORT=8080');
  assert.match(level!.figure, /^LOG_LEVEL must be one of/);
  assert.match(key!.figure, /^ZIMBO_SECRET_KEY must be/);
  assert.doesNotMatch(JSON.stringify(checks), /hunter2/);
});

test('reports a missing secret key, and still checks the database', async (context) => {
  const { url } = await testDatabase(context);
  const { code, checks } = await doctorJson(context, { DATABASE_URL: url });
  assert.equal(code, 1);
  assert.match(checks[0]!.figure, /ZIMBO_SECRET_KEY is required/);
  assert.ok(checks.some(({ name, status }) => name === 'Ledger' && status === 'ok'));
});

test('reports an unreachable database without a stack trace', async (context) => {
  const environment = {
    DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/nothing',
    ZIMBO_SECRET_KEY: '01'.repeat(32),
  };
  const { code, stdout, stderr } = await doctor(context, environment);
  assert.equal(code, 1);
  assert.match(stdout, /✗ Server +.*ECONNREFUSED/);
  assert.doesNotMatch(stdout + stderr, /hunter2|^ {4}at /m);
});

test('reports missing migrations on an empty database without applying them', async (context) => {
  const { url, database } = await testDatabase(context);
  await database.query({ text: 'DROP SCHEMA public CASCADE' });
  await database.query({ text: 'CREATE SCHEMA public' });
  const environment = { DATABASE_URL: url, ZIMBO_SECRET_KEY: '01'.repeat(32) };
  const { code, checks } = await doctorJson(context, environment);
  assert.equal(code, 0);
  assert.match(checks.at(-1)!.figure, /^not applied yet: 0001-foundation\.sql, /);
  const tables = await database.query({
    text: `SELECT FROM pg_tables WHERE schemaname = 'public'`,
  });
  assert.equal(tables.length, 0);
});

test('makes the server refuse any change', async (context) => {
  const { url } = await testDatabase(context);
  const database = openDatabase({ url, log: silentLog, maxConnections: 1, readOnly: true });
  context.after(() => database.close());
  await assert.rejects(database.query({ text: 'DELETE FROM merchants' }), { code: '25006' });
});

test('gives up a check that hangs, and reports a check that throws', async () => {
  const never = new Promise<never>(() => {});
  const hung = await runCheck({ name: 'x', run: () => never, limitMs: 5 });
  assert.match(hung.figure, /^no result after/);
  const whenLate = ok('it takes long');
  assert.deepEqual(await runCheck({ name: 'x', run: () => never, limitMs: 5, whenLate }), whenLate);
  const threw = await runCheck({ name: 'x', run: () => Promise.reject(new Error('no luck')) });
  assert.deepEqual([threw.status, threw.figure], ['error', 'no luck']);
  assert.deepEqual(await runCheck({ name: 'x', run: async () => ok('fine') }), ok('fine'));
});
