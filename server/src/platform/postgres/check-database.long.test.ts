import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { selfSigned, skipWithoutCertificates } from '../../../test/support/certificate.ts';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { emptyDatabase } from '../../../test/support/database.ts';
import { query } from '../../../test/support/embedded-postgres.ts';
import { runZimbo, testDataDir } from '../../../test/support/process.ts';
import { explainConnectionError } from './connection-problem.ts';
import { readMigrations } from './migration-files.ts';
import { createRecord, runMigration } from './migrations.ts';

const tablesText = `SELECT count(*)::integer FROM pg_tables WHERE schemaname = 'public'`;
const commands = [['migrate'], ['start'], ['doctor']];
/** Read-only commands find nothing to read in an empty database, whatever its encoding. */
const looking = ['keys', 'list'];

for (const encoding of ['SQL_ASCII', 'LATIN1', 'WIN1252']) {
  test(`refuses a database in ${encoding} before creating a table`, async (context) => {
    const url = await inEncoding(context, encoding);
    const environment = await environmentOf(context, url);
    for (const args of commands) assertEncoding(encoding, await runZimbo(args, environment));
    const { code, stdout, stderr } = await runZimbo(looking, environment);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^There is no Zimbo in the database \S+ yet: .*\n.*\n$/);
    assert.deepEqual(await query(url, tablesText), [{ count: 0 }]);
  });
}

for (const encoding of ['SQL_ASCII', 'LATIN1']) {
  test(`names ${encoding} if the database already has tables, which a backup saves`, async (context) => {
    const url = await migratedIn(context, encoding);
    const name = 'Pão é pão';
    await query(
      url,
      `INSERT INTO merchants (id, name, created_at) VALUES (gen_random_uuid(), '${name}', now())`,
    );
    const environment = await environmentOf(context, url);
    for (const args of [...commands, looking])
      assertEncoding(encoding, await runZimbo(args, environment));

    const folder = await mkdtemp(join(tmpdir(), 'zimbo-encoding-'));
    cleanUp(context, () => rm(folder, { recursive: true, force: true }));
    const saved = await runZimbo(['backup', join(folder, 'backup')], environment);
    assert.equal(saved.code, 0, saved.stderr);
    const moved = { ...environment, DATABASE_URL: await emptyDatabase(context) };
    const restored = await runZimbo(['restore', join(folder, 'backup')], moved);
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual(await query(moved.DATABASE_URL, 'SELECT name FROM merchants'), [{ name }]);
  });
}

const environmentOf = async (context: TestContext, url: string) => ({
  DATABASE_URL: url,
  DATA_DIR: await testDataDir(context),
  ZIMBO_SECRET_KEY: '01'.repeat(32),
  PORT: '0',
});

type Ended = Awaited<ReturnType<typeof runZimbo>>;

/** Expects a refusal with instructions. */
function assertEncoding(encoding: string, { code, stdout, stderr }: Ended): void {
  const said = stdout + stderr;
  assert.equal(code, 1, said);
  assert.match(said, new RegExp(encoding));
  assert.match(said, /CREATE DATABASE \S+ ENCODING 'UTF8' TEMPLATE template0/);
  assert.doesNotMatch(said, /^ {4}at /m);
}

/** A database that an earlier version, which accepted every encoding, has migrated. */
async function migratedIn(context: TestContext, encoding: string): Promise<string> {
  const url = await inEncoding(context, encoding);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await createRecord(client);
    for (const migration of await readMigrations())
      await runMigration(client, migration, { programVersion: '0.1.0', now: new Date() });
  } finally {
    await client.end();
  }
  return url;
}

const inEncoding = (context: TestContext, encoding: string): Promise<string> =>
  emptyDatabase(
    context,
    `TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`,
  );

/** Speaks the PostgreSQL protocol up to the password: TLS if it has a certificate, then a refusal. */
async function startServer(context: TestContext, certificate?: { key: string; cert: string }) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(certificate ? 'S' : 'N');
      if (!certificate) return;
      const secured = new TLSSocket(socket, { isServer: true, ...certificate });
      secured.on('error', () => {});
      secured.once('data', () => secured.end(refusal));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(context, () => server.close());
  return `postgres://zimbo:secret@127.0.0.1:${(server.address() as AddressInfo).port}/zimbo`;
}

const fields = 'SFATAL\0C28P01\0Mwrong password\0\0';
const refusal = Buffer.concat([
  Buffer.from('E'),
  Buffer.from(Uint32Array.of(fields.length + 4).buffer).reverse(),
  Buffer.from(fields),
]);

test('explains in two sentences why TLS to the database fails, for every sslmode', {
  skip: skipWithoutCertificates,
}, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-tls-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'ca.crt');
  const certificate = selfSigned('127.0.0.1');
  await writeFile(file, certificate.cert);
  const url = await startServer(context, certificate);
  const cases: [string, RegExp][] = [
    ...['prefer', 'require', 'verify-ca', 'verify-full'].map((mode): [string, RegExp] => [
      `${url}?sslmode=${mode}`,
      /know the issuer of the database server's certificate/,
    ]),
    [`${url}?sslmode=verify-full&sslrootcert=/none/ca.crt`, /file \/none\/ca\.crt, .* \(ENOENT\)/],
    [`${url}?sslmode=verify-full&sslrootcert=${folder}`, /names a folder/],
    [`${url}?sslmode=verify-full&sslrootcert=${file}`, /wrong password/],
    [
      `${await startServer(context, selfSigned('db.internal'))}?sslmode=no-verify`,
      /wrong password/,
    ],
    [`${await startServer(context)}?sslmode=require`, /the database server offers none/],
  ];
  for (const [given, words] of cases) {
    const environment = await environmentOf(context, given);
    for (const command of ['migrate', 'start']) {
      const { code, stderr } = await runZimbo([command], environment);
      assert.equal(code, 1, stderr);
      assert.match(stderr, words, given);
      assert.equal(stderr.trim().split('\n').length, 2, stderr);
    }
  }
});

test('explains every connection problem with a remedy', () => {
  const errors = {
    'read (ENOENT)': { code: 'ENOENT', path: '/ca.crt', syscall: 'open' },
    'a folder': { code: 'EISDIR' },
    'is not the required certificate or key': { code: 'ERR_OSSL_PEM_NO_START_LINE' },
    'not valid now': { code: 'CERT_HAS_EXPIRED' },
    'another host': { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    'know the issuer': { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
  };
  for (const [words, error] of Object.entries(errors)) {
    const problem = explainConnectionError(Object.assign(new Error('this'), error));
    assert.ok(problem?.message.includes(words), words);
  }
  const socket = { code: 'ENOENT', syscall: 'connect', address: '/run/.s.PGSQL.5432' };
  assert.equal(explainConnectionError(Object.assign(new Error('this'), socket)), undefined);
  assert.equal(explainConnectionError('nothing'), undefined);
});
