import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { testFolder } from '../../test/support/backup.ts';
import { cleanUp } from '../../test/support/cleanup.ts';
import { emptyDatabase, testDatabase } from '../../test/support/database.ts';
import { query } from '../../test/support/embedded-postgres.ts';
import { eventually } from '../../test/support/eventually.ts';
import { runZimbo, startProcess, testDataDir, zimbo } from '../../test/support/process.ts';

const endpoint = { url: 'http://127.0.0.1:9/', events: ['payment.debited'] };
const headers = { 'idempotency-key': 'first' };

test('moves a running gateway from its embedded database to another, and to a server', async (context) => {
  const oldDir = await testDataDir(context);
  const old = await startProcess(oldDir, { LOG_LEVEL: 'error' });
  cleanUp(context, () => old.kill('SIGKILL'));
  const created = await old.api('POST', '/v1/webhooks', endpoint, headers);
  assert.equal(created.status, 200);
  const file = join(await testFolder(context), 'zimbo.backup.gz');
  const backup = await runZimbo(['backup', file], { DATA_DIR: oldDir });
  assert.deepEqual([backup.code, backup.stderr], [0, '']);
  assert.match(backup.stdout, /^webhook_endpoints +1 +1\.\d kB$/m);
  assert.ok(backup.stdout.includes(`- The secret key (${oldDir}/secret.key).`), backup.stdout);
  assert.ok(backup.stdout.includes(`- Files in ${oldDir}: payouts, erasures.jsonl, demo.env.`));
  await old.kill('SIGTERM');

  const newDir = join(await testFolder(context), 'data');
  const without = await runZimbo(['restore', file], { DATA_DIR: newDir });
  assert.deepEqual([without.code, without.stdout], [1, '']);
  assert.match(without.stderr, /there is no secret key here.*\n.*DATA_DIR\/secret\.key\.\n/);
  assert.deepEqual(await readdir(join(newDir, '..')), [], 'nothing was made');
  await mkdir(newDir, { mode: 0o700 });
  await copyFile(join(oldDir, 'secret.key'), join(newDir, 'secret.key'));
  const restored = await runZimbo(['restore', file], { DATA_DIR: newDir });
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  assert.match(restored.stdout, /^Restored rows +\d+$/m);
  assert.match(restored.stdout, /^Made by +Zimbo \S+ on PostgreSQL 18\.\d+$/m);
  assert.match(restored.stdout, /^The ledger is correct\.$/m);
  await copyFile(join(oldDir, 'demo.env'), join(newDir, 'demo.env'));
  const moved = await startProcess(newDir, { LOG_LEVEL: 'error' });
  cleanUp(context, () => moved.kill('SIGTERM'));
  assert.equal(moved.key, old.key);
  const again = await moved.api('POST', '/v1/webhooks', endpoint, headers);
  assert.deepEqual([again.status, again.text], [200, created.text]);

  const DATABASE_URL = await emptyDatabase(context);
  const ZIMBO_SECRET_KEY = await readFile(join(oldDir, 'secret.key'), 'utf8');
  const served = await runZimbo(['restore', file], { DATABASE_URL, ZIMBO_SECRET_KEY });
  assert.deepEqual([served.code, served.stderr], [0, '']);
});

test('explains obstacles to a backup or a restore', async (context) => {
  const { url: DATABASE_URL } = await testDatabase(context);
  const file = join(await testFolder(context), 'zimbo.backup.gz');
  const zimbo = (...args: string[]) => runZimbo(args, { DATABASE_URL });
  const expectWords = async (args: string[], code: number, words: RegExp) => {
    const ended = await zimbo(...args);
    assert.deepEqual([ended.code, ended.stdout], [code, ''], args.join(' '));
    assert.match(ended.stderr, words);
    assert.doesNotMatch(ended.stderr, /^ {4}at /m);
  };
  await expectWords(['backup'], 1, /BACKUP_TO is not set, and no file is named/);
  await expectWords(['restore', file], 1, /cannot be read \(ENOENT\)/);
  assert.equal((await zimbo('backup', file)).code, 0);
  await expectWords(['backup', file], 1, /already exists\.\nName a new file\./);
  await expectWords(['restore', file], 1, /is not empty: .*\nCreate a new database/);
});

test('restores a wrong ledger unchanged, and reports it', async (context) => {
  const { url } = await testDatabase(context);
  await query(
    url,
    `INSERT INTO merchants VALUES (gen_random_uuid(), 'Loja', now());
     INSERT INTO tenants SELECT gen_random_uuid(), id, 'test', now() FROM merchants;
     INSERT INTO balances SELECT id, 'fees', 'CVE', 7 FROM tenants`,
  );
  const file = join(await testFolder(context), 'zimbo.backup.gz');
  assert.equal((await runZimbo(['backup', file], { DATABASE_URL: url })).code, 0);
  const DATABASE_URL = await emptyDatabase(context);
  const { code, stdout } = await runZimbo(['restore', file], { DATABASE_URL });
  assert.equal(code, 1);
  assert.match(stdout, /^The ledger has 1 problem /m);
  assert.deepEqual(await query(DATABASE_URL, 'SELECT balance_minor::text FROM balances'), [
    { balance_minor: '7' },
  ]);
});

test('makes and verifies a due backup automatically, and restores it with its key', async (context) => {
  const folder = await testFolder(context);
  const key = join(folder, 'backup.key');
  const made = await runZimbo(['backup', 'key', key], {});
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  const [, recipient] = /^BACKUP_RECIPIENTS=(age1\S+)$/m.exec(made.stdout)!;
  const dataDir = await testDataDir(context);
  const settings = {
    BACKUP_TO: join(folder, 'kept'),
    BACKUP_SCHEDULE: 'every 6 hours',
    BACKUP_RECIPIENTS: recipient!,
  };
  const gateway = await startProcess(dataDir, { LOG_LEVEL: 'error', ...settings });
  cleanUp(context, () => gateway.kill('SIGKILL'));
  type Row = {
    name: string;
    endedAt: string | null;
    verifiedAt: string | null;
    error: string | null;
  };
  const [row] = await eventually(
    'there is a backup',
    async () => {
      const { stdout } = await runZimbo(['backup', 'list', '--json'], { DATA_DIR: dataDir });
      const rows = JSON.parse(stdout) as Row[];
      return rows[0]?.endedAt ? rows : undefined;
    },
    60_000,
  );
  assert.equal(row!.error, null);
  assert.ok(row!.verifiedAt);
  assert.deepEqual(await readdir(join(folder, 'kept')), [row!.name]);
  assert.ok(!(await readdir(dataDir)).includes('verify'));
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.match(metrics, /^zimbo_backup_last_success_timestamp_seconds 1\d{9}$/m);
  await gateway.kill('SIGTERM');

  const DATABASE_URL = await emptyDatabase(context);
  const ZIMBO_SECRET_KEY = await readFile(join(dataDir, 'secret.key'), 'utf8');
  const file = join(folder, 'kept', row!.name);
  const restored = await runZimbo(['restore', file, '--identity', key], {
    DATABASE_URL,
    ZIMBO_SECRET_KEY,
  });
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  assert.deepEqual(await query(DATABASE_URL, 'SELECT * FROM backups'), [], 'they are not its own');
});

test('pipes a backup from standard output into a restore from standard input', async (context) => {
  const { url } = await testDatabase(context);
  const target = await emptyDatabase(context);
  const run = (command: string, database: string) =>
    `DATABASE_URL='${database}' "${process.execPath}" "${zimbo}" ${command} -`;
  const env = { ...process.env, DATA_DIR: await testDataDir(context) };
  const piped = spawn('/bin/sh', ['-c', `${run('backup', url)} | ${run('restore', target)}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await text(piped.stdout);
  assert.match(printed, /^The ledger is correct\.$/m);
  assert.doesNotMatch(printed, /^TABLE/m);
});

test('reports a closed or full standard output, and records no backup', async (context) => {
  const { url: DATABASE_URL } = await testDatabase(context);
  await query(
    DATABASE_URL,
    // More than the buffer of a pipe.
    `INSERT INTO merchants SELECT gen_random_uuid(), md5(n::text), now() FROM generate_series(1, 20000) AS n`,
  );
  const backup = async (to: string) => {
    const child = spawn('/bin/sh', ['-c', `"${process.execPath}" "${zimbo}" backup - ${to}`], {
      env: { ...process.env, DATABASE_URL },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return text(child.stderr);
  };
  const noBackup = 'The output so far is not a usable backup: remove it.\n';
  assert.equal(
    await backup('| head -c 1'),
    `Standard output accepts no more data: the reading program has ended.\n${noBackup}`,
  );
  if (existsSync('/dev/full'))
    assert.equal(
      await backup('>/dev/full'),
      `Standard output accepts no more data: the disk is full.\n${noBackup}`,
    );
  assert.deepEqual(await query(DATABASE_URL, 'SELECT name FROM backups'), []);
});
