import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { selfSigned, skipWithoutCertificates } from '../../test/support/certificate.ts';
import { cleanUp } from '../../test/support/cleanup.ts';
import { emptyDatabase } from '../../test/support/database.ts';
import { query } from '../../test/support/embedded-postgres.ts';
import { runZimbo } from '../../test/support/process.ts';
import { connectionProblem } from './connection-problem.ts';

const tablesText = `SELECT count(*)::integer FROM pg_tables WHERE schemaname = 'public'`;
const commands = [['migrate'], ['start']];
/** What only looks has nothing to look at there, and makes nothing. */
const looking = [['keys', 'list'], ['doctor']];

for (const encoding of ['SQL_ASCII', 'LATIN1', 'WIN1252']) {
  test(`refuses a database in ${encoding} before it makes a table there`, async (context) => {
    const url = await emptyDatabase(
      context,
      `TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    const environment = { DATABASE_URL: url, ZIMBO_SECRET_KEY: '01'.repeat(32), PORT: '0' };
    for (const args of commands) {
      const { code, stdout, stderr } = await runZimbo(args, environment);
      const said = stdout + stderr;
      assert.equal(code, 1, said);
      assert.match(said, new RegExp(encoding), args.join(' '));
      assert.match(said, /CREATE DATABASE \S+ ENCODING 'UTF8' TEMPLATE template0/, args.join(' '));
      assert.doesNotMatch(said, /^ {4}at /m, args.join(' '));
    }
    for (const args of looking) {
      const { code, stdout, stderr } = await runZimbo(args, environment);
      assert.deepEqual([code, /^ {4}at /m.test(stdout + stderr)], [1, false], args.join(' '));
    }
    assert.deepEqual(await query(url, tablesText), [{ count: 0 }]);
  });
}

/** Speaks as much of PostgreSQL as comes before the password: TLS if it has a certificate, then a refusal. */
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

test('says in two sentences why TLS to the database fails, whatever sslmode asks for it', {
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
      /who issued the certificate/,
    ]),
    [`${url}?sslmode=verify-full&sslrootcert=/none/ca.crt`, /file \/none\/ca\.crt .* \(ENOENT\)/],
    [`${url}?sslmode=verify-full&sslrootcert=${folder}`, /names a folder/],
    [`${url}?sslmode=verify-full&sslrootcert=${file}`, /wrong password/],
    [
      `${await startServer(context, selfSigned('db.internal'))}?sslmode=no-verify`,
      /wrong password/,
    ],
    [`${await startServer(context)}?sslmode=require`, /the database server offers none/],
  ];
  for (const [given, words] of cases) {
    const environment = { DATABASE_URL: given, ZIMBO_SECRET_KEY: '01'.repeat(32), PORT: '0' };
    for (const command of ['migrate', 'start']) {
      const { code, stderr } = await runZimbo([command], environment);
      assert.equal(code, 1, stderr);
      assert.match(stderr, words, given);
      assert.equal(stderr.trim().split('\n').length, 2, stderr);
    }
  }
});

test('says of what is wrong with a connection what to do', () => {
  const errors = {
    'read (ENOENT)': { code: 'ENOENT', path: '/ca.crt', syscall: 'open' },
    'a folder': { code: 'EISDIR' },
    'is not the certificate or key': { code: 'ERR_OSSL_PEM_NO_START_LINE' },
    'not valid now': { code: 'CERT_HAS_EXPIRED' },
    'another host': { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    'who issued': { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
  };
  for (const [words, error] of Object.entries(errors)) {
    const problem = connectionProblem(Object.assign(new Error('this'), error));
    assert.ok(problem?.message.includes(words), words);
  }
  const socket = { code: 'ENOENT', syscall: 'connect', address: '/run/.s.PGSQL.5432' };
  assert.equal(connectionProblem(Object.assign(new Error('this'), socket)), undefined);
  assert.equal(connectionProblem('nothing'), undefined);
});
