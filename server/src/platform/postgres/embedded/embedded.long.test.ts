import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { query, Scratch, until } from '../../../../test/support/embedded-postgres.ts';
import { StartError } from '../../errors/start-error.ts';

test('creates a durable UTF-8 database, owned by a role that is no superuser', async (t) => {
  const scratch = await Scratch.make(t);
  const { url } = await scratch.open('gateway');
  const [facts] = await query(
    url,
    `SELECT rolsuper, rolcreatedb, pg_get_userbyid(datdba) AS owner, pg_encoding_to_char(encoding) AS encoding,
            datlocprovider, datlocale, current_setting('fsync') AS fsync,
            current_setting('data_checksums') AS checksums, current_setting('listen_addresses') AS addresses
     FROM pg_database, pg_roles WHERE datname = current_database() AND rolname = current_user`,
  );
  assert.deepEqual(facts, {
    rolsuper: false,
    rolcreatedb: true,
    owner: 'zimbo',
    encoding: 'UTF8',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    fsync: 'on',
    checksums: 'on',
    addresses: '',
  });
});

test('requires the password on the socket, also for data of earlier versions', async (t) => {
  const scratch = await Scratch.make(t);
  const first = await scratch.open('gateway');
  const refused = (url: string) =>
    assert.rejects(query(url.replace(/:[^:@/]+@/, ':wrong@'), 'SELECT 1'), { code: '28P01' });
  await refused(first.url);
  await refused(first.url.replace('//zimbo:', '//postgres:'));
  await first.close();
  const hba = join(first.location, 'data', 'pg_hba.conf');
  const text = await readFile(hba, 'utf8');
  await writeFile(hba, text.replaceAll(/^(local\s.*\s)scram-sha-256$/gm, '$1trust'));
  const second = await scratch.open('gateway');
  await query(second.url, 'SELECT 1');
  await refused(second.url);
});

test('explains a wrong password, and does not leave the server running', async (t) => {
  const scratch = await Scratch.make(t);
  await (await scratch.open('gateway')).close();
  const file = join(scratch.dataDir, 'zimbo.json');
  const marker = JSON.parse(await readFile(file, 'utf8')) as { password: string };
  await writeFile(file, JSON.stringify({ ...marker, password: 'another' }));
  await assert.rejects(scratch.open('gateway'), {
    name: 'StartError',
    message: /rejects the password in its zimbo\.json/,
  });
  assert.equal(await scratch.postmaster(), undefined);
});

test('can deny the owner UPDATE on its own table', async (t) => {
  const { url } = await (await Scratch.make(t)).open('gateway');
  await query(url, 'CREATE TABLE posting (amount int); REVOKE UPDATE ON posting FROM zimbo');
  await assert.rejects(query(url, 'UPDATE posting SET amount = 1'), { code: '42501' });
});

test('keeps the data over a restart; the last process stops the server', async (t) => {
  const scratch = await Scratch.make(t, { dataDirName: `da ta, "'$x` });
  const first = await scratch.open('gateway');
  await query(first.url, 'CREATE TABLE note AS SELECT 1 AS n');
  await first.close();
  assert.equal(await scratch.postmaster(), undefined);
  const second = await scratch.open('gateway', { work_mem: '5MB' });
  assert.deepEqual(await query(second.url, 'SELECT n FROM note'), [{ n: 1 }]);
  assert.deepEqual(await query(second.url, 'SHOW work_mem'), [{ work_mem: '5MB' }]);
});

test('takes over a server that outlived a killed gateway', async (t) => {
  const scratch = await Scratch.make(t);
  const gateway = await scratch.spawn('gateway');
  const postmaster = await scratch.postmaster();
  await gateway.leave('SIGKILL');
  const second = await scratch.open('gateway');
  assert.equal(await scratch.postmaster(), postmaster);
  await query(second.url, 'SELECT 1');
  await second.close();
  assert.equal(await scratch.postmaster(), undefined);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`finishes and stops the server after ${signal} to the gateway's process group`, async (t) => {
    const scratch = await Scratch.make(t);
    const gateway = await scratch.spawn('gateway');
    assert.equal(gateway.error, undefined);
    assert.equal(await gateway.leave(signal), 0);
    assert.equal(await scratch.postmaster(), undefined);
  });
}

test('refuses a second gateway on the same DATA_DIR, and the first continues', async (t) => {
  const scratch = await Scratch.make(t);
  const { url } = await scratch.open('gateway');
  const second = await scratch.spawn('gateway');
  assert.equal(second.error, `Another gateway is running on DATA_DIR ${scratch.dataDir}.`);
  await query(url, 'SELECT 1');
});

test('leaves a server that a command started to a gateway that came later', async (t) => {
  const scratch = await Scratch.make(t);
  const command = await scratch.open('command');
  const gateway = await scratch.open('gateway');
  await command.close();
  await query(gateway.url, 'SELECT 1');
  await gateway.close();
  assert.equal(await scratch.postmaster(), undefined);
});

test('leaves the server to a command, which stops it', async (t) => {
  const scratch = await Scratch.make(t);
  const gateway = await scratch.open('gateway');
  const command = await scratch.open('command');
  await gateway.close();
  await query(command.url, 'SELECT 1');
  await command.close();
  assert.equal(await scratch.postmaster(), undefined);
});

test('starts while the previous server is still stopping', async (t) => {
  const scratch = await Scratch.make(t);
  const first = await scratch.open('gateway');
  const [, second] = await Promise.all([first.close(), scratch.open('gateway')]);
  await query(second.url, 'SELECT 1');
});

test('shares one database between processes that start together on an empty DATA_DIR', async (t) => {
  const scratch = await Scratch.make(t);
  const processes = await Promise.all(
    (['gateway', 'command', 'command'] as const).map((role) => scratch.spawn(role)),
  );
  assert.deepEqual(
    processes.map(({ error }) => error),
    [undefined, undefined, undefined],
  );
  const urls = new Set(processes.map(({ url }) => url));
  assert.equal(urls.size, 1);
  const entries = await readdir((await scratch.location())!);
  assert.deepEqual(entries.toSorted(), ['data', 'run', 'server.log']);
});

test('survives a crash in the middle of the first start', async (t) => {
  const scratch = await Scratch.make(t);
  const child = scratch.launch('gateway');
  const stagings = async () => {
    const location = await scratch.location();
    const entries = location ? await readdir(location).catch(() => []) : [];
    return entries.filter((name) => name.startsWith('initdb-'));
  };
  await until('initdb runs', async () => (await stagings()).length > 0);
  child.kill('SIGKILL');
  await until('it is gone', () => child.signalCode !== null);
  const { url } = await scratch.open('gateway');
  await query(url, 'SELECT 1');
  assert.deepEqual(await stagings(), []);
});

test('restarts a killed server, still guarded by the lock', async (t) => {
  const scratch = await Scratch.make(t);
  const { url } = await scratch.open('gateway');
  const killed = (await scratch.postmaster())!;
  process.kill(killed, 'SIGKILL');
  await until('another server answers', async () => {
    const answers = query(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
    return (await scratch.postmaster()) !== killed && (await answers);
  });
  const lockHolders = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'`;
  await until('the lock is taken', async () => (await query(url, lockHolders)).length === 1);
  const second = await scratch.spawn('gateway');
  assert.match(second.error ?? '', /Another gateway is running/);
});

test('puts the socket into the temporary folder if the path is long', async (t) => {
  const scratch = await Scratch.make(t, { dataDirName: 'long'.repeat(30) });
  const database = await scratch.open('gateway');
  const sockets = new URL(database.url).searchParams.get('host')!;
  assert.ok(!sockets.startsWith(scratch.directory));
  assert.equal((await stat(sockets)).mode & 0o777, 0o700);
  await query(database.url, 'SELECT 1');
  await database.close();
  await assert.rejects(stat(sockets), { code: 'ENOENT' });
});

test('leaves a foreign directory untouched', async (t) => {
  const scratch = await Scratch.make(t);
  await mkdir(scratch.dataDir);
  await writeFile(join(scratch.dataDir, 'thesis.txt'), 'mine');
  await assert.rejects(scratch.open('gateway'), (error) => {
    assert.ok(error instanceof StartError && error.hint);
    assert.ok(error.message.includes(scratch.dataDir) && error.message.includes('thesis.txt'));
    return true;
  });
  assert.deepEqual(await readdir(scratch.dataDir), ['thesis.txt']);
});

test("accepts the gateway's own files in an otherwise empty directory", async (t) => {
  const scratch = await Scratch.make(t);
  await mkdir(scratch.dataDir);
  await writeFile(join(scratch.dataDir, 'secret.key'), 'k');
  await query((await scratch.open('gateway')).url, 'SELECT 1');
});

test('refuses a file in place of DATA_DIR', async (t) => {
  const scratch = await Scratch.make(t);
  await writeFile(scratch.dataDir, '');
  await assert.rejects(
    scratch.open('gateway'),
    /DATA_DIR .*\/data cannot be used: it is not a dir/,
  );
});

test('refuses data of another PostgreSQL version', async (t) => {
  const scratch = await Scratch.make(t);
  const first = await scratch.open('gateway');
  await first.close();
  await writeFile(join(first.location, 'data', 'PG_VERSION'), '17\n');
  await assert.rejects(scratch.open('gateway'), /DATA_DIR .* holds data of PostgreSQL 17/);
});

test('shows the log of a server that cannot start', async (t) => {
  const scratch = await Scratch.make(t);
  await assert.rejects(scratch.open('gateway', { shared_buffers: 'plenty' }), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(
      error.message,
      /server\.log:\n(.*\n)*.*invalid value for parameter "shared_buffers"/,
    );
    return true;
  });
});

test('keeps customers’ data of failed statements out of the log', async (t) => {
  const scratch = await Scratch.make(t);
  const { url, location } = await scratch.open('gateway');
  await assert.rejects(query(url, `SELECT '+2389912345'::uuid`));
  const log = await readFile(join(location, 'server.log'), 'utf8');
  assert.ok(log.includes('ready to accept connections') && !log.includes('+2389912345'));
});
