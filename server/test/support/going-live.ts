/**
 * Everything around a company's gateway on opening day: a PostgreSQL, a proxy with TLS, an
 * operator, mail, a shop.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  installedBinaries,
  usableBinaries,
} from '../../src/platform/postgres/embedded/binaries.ts';
import { systemDirectory } from '../../src/platform/postgres/embedded/data-directory.ts';
import { findServerUser, runsAsRoot } from '../../src/platform/postgres/embedded/os-user.ts';
import { testFolder } from './backup.ts';
import { selfSigned } from './certificate.ts';
import { cleanUp } from './cleanup.ts';
import { query } from './embedded-postgres.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './mail-server.ts';
import { PostgresServer } from './postgres-server.ts';
import { testReceiver } from './receiver.ts';
import { runZimbo } from './zimbo.ts';

type Context = Pick<TestContext, 'after'>;
export type LiveWorld = Awaited<ReturnType<typeof liveWorld>>;

const joinStaff = `
WITH person AS (
  INSERT INTO people (id, email, name, language, created_at)
  VALUES (gen_random_uuid(), 'maria@example.cv', 'Maria', 'pt', now()) RETURNING id
) INSERT INTO staff (person_id, role, created_at) SELECT id, 'ADMIN', now() FROM person`;

/** Starts all of it; call `serve` with the gateway's address once it is known. */
export async function liveWorld(context: Context) {
  const folder = await testFolder(context);
  const database = await emptyServer(context, folder);
  const receiver = await testReceiver(context);
  const proxy = await tlsProxy(context, folder, receiver.url);
  const operator = await operatorProcess(context, folder, proxy.trust);
  const mail = await mailServer(context);
  return {
    database,
    ...proxy,
    operator,
    receiver,
    smtpUrl: `smtp://127.0.0.1:${mail.port}`,
    /** Waits for the invitation of the administrator. Tests of the console accept one in a browser. */
    async follow() {
      await eventually('the invitation is mailed', () => mail.taken.length > 0, 120_000);
      assert.match(mail.taken[0]!.text, /\/console\/invitation\//);
      const url = database.adminUrl.replace(/\/postgres(?=\?|$)/, '/zimbo');
      await query(url, joinStaff);
    },
    /** What the administrator has, and what only this test machine needs. */
    environment: {
      PGHOST: '127.0.0.1',
      PGPORT: `${database.port}`,
      PGPASSWORD: new URL(database.adminUrl).password,
      ...proxy.trust,
      // The shop of the test is on loopback.
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  };
}

/** A PostgreSQL reached by TCP, as on a separate machine: durable, with a database of ours. */
export async function ownServer(context: Context, folder: string): Promise<PostgresServer> {
  const user = runsAsRoot() ? findServerUser() : undefined;
  const binaries = await usableBinaries(installedBinaries(), user, systemDirectory);
  const password = randomBytes(12).toString('hex');
  const place = { name: 'database', folder: join(folder, 'postgres'), binaries, user, password };
  const server = await PostgresServer.open({ ...place, settings: { fsync: 'on' } });
  cleanUp(context, () => server.close());
  await server.create();
  await server.start();
  return server;
}

/** As installed: with an administrator, and without our objects. */
async function emptyServer(context: Context, folder: string): Promise<PostgresServer> {
  const server = await ownServer(context, folder);
  await server.admin('DROP DATABASE zimbo', 'DROP ROLE zimbo');
  return server;
}

/** Terminates TLS like Caddy; deploy/Caddyfile has its own tests. */
async function tlsProxy(context: Context, folder: string, shopUrl: string) {
  const certificate = selfSigned('localhost');
  const file = join(folder, 'certificate.pem');
  await writeFile(file, certificate.cert);
  await chmod(file, 0o644);
  let gatewayPort = 0;
  let callbacks = 0;
  const server = createServer(certificate, (request, response) => {
    const { method, url: path, socket } = request;
    if (path?.startsWith('/operators/')) callbacks += 1;
    const headers = { ...request.headers, 'x-forwarded-for': socket.remoteAddress };
    const port = path?.startsWith('/shop') ? new URL(shopUrl).port : gatewayPort;
    const passed = httpRequest({ host: '127.0.0.1', port, method, path, headers });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  const publicUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    publicUrl,
    /** With a live key, webhooks need TLS. */
    shopUrl: `${publicUrl}/shop`,
    /** Makes curl and a process trust the certificate. */
    trust: { NODE_EXTRA_CA_CERTS: file, CURL_CA_BUNDLE: file },
    serve(port: number) {
      gatewayPort = port;
    },
    callbacks: () => callbacks,
  };
}

async function operatorProcess(context: Context, folder: string, trust: Record<string, string>) {
  const options = ['--port', '0', '--data-dir', join(folder, 'operator'), '--confirm-ms', '500'];
  const { says } = runZimbo(context, ['operator-simulator', ...options], trust);
  const [, url] = await says(/_URL=(\S+)/);
  const [, secret] = await says(/_SECRET=(\S+)/);
  const totals = async () => {
    const answer = await fetch(new URL('/_simulator/totals', url));
    return (await answer.json()) as { totals: { currency: string; debits: number }[] };
  };
  return { url: url!, secret: secret!, totals };
}
