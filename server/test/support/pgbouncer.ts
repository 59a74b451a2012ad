import { spawn, spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { findServerUser, runsAsRoot } from '../../src/platform/postgres/embedded/os-user.ts';
import { cleanUp } from './cleanup.ts';
import { query } from './embedded-postgres.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** Why tests with PgBouncer cannot run here, or false. */
export const skipWithoutPgbouncer =
  spawnSync('pgbouncer', ['--version']).status === 0 ? false : 'pgbouncer is not installed';

/**
 * Starts a PgBouncer in front of a database until the test ends. @param settings additional lines
 * of pgbouncer.ini @returns the URL of the database through it
 */
export async function startPgbouncer(
  context: Pick<TestContext, 'after'>,
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<string> {
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  const host = server.searchParams.get('host') ?? server.hostname;
  const port = server.searchParams.get('port') ?? (server.port || '5432');
  const own = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-pgbouncer-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(own),
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: 'zimbo',
    max_client_conn: '200',
    default_pool_size: '40',
    ...settings,
  };
  const place = `host=${host} port=${port} dbname=${name} user=${server.username} password=${decodeURIComponent(server.password)}`;
  const lines = Object.entries(all).map(([setting, value]) => `${setting} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `[databases]\n${name} = ${place}\n\n[pgbouncer]\n${lines.join('\n')}\n`, {
    mode: 0o600,
  });
  // PgBouncer refuses to run as root.
  const user = runsAsRoot() ? findServerUser() : undefined;
  if (user) for (const path of [folder, file]) await chown(path, user.uid, user.gid);
  const pooler = spawn('pgbouncer', ['--quiet', file], {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: '/',
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => pooler.once('close', resolve));
  cleanUp(context, async () => {
    pooler.kill('SIGKILL');
    await ended;
  });
  const url = `postgres://${server.username}:any@127.0.0.1:${own}/${name}?sslmode=disable`;
  await eventually('PgBouncer answers', () =>
    query(url, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  return url;
}
