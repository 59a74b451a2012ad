import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  findServerUser,
  type OsUser,
  runsAsRoot,
} from '../../src/platform/postgres/embedded/os-user.ts';
import { runProgram } from '../../src/platform/postgres/embedded/run-program.ts';
import { cleanUp } from './cleanup.ts';
import { query } from './embedded-postgres.ts';
import { eventually } from './eventually.ts';

export interface InstalledPostgres {
  /** 15, for example. */
  major: string;
  binaries: string;
}

/** A supported PostgreSQL of the system, in addition to our embedded one. */
export const installedPostgres: InstalledPostgres | undefined = globSync(
  '/usr/lib/postgresql/*/bin/postgres',
)
  .map((path) => ({ major: basename(dirname(dirname(path))), binaries: dirname(path) }))
  .find(({ major }) => Number(major) >= 15 && major !== '18');

/** Starts a new cluster until the test ends. @returns the URL of an empty database */
export async function startInstalledPostgres(
  context: Pick<TestContext, 'after'>,
  { binaries }: InstalledPostgres,
): Promise<string> {
  const user = runsAsRoot() ? findServerUser() : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-installed-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = ['--auth=trust', '--username=admin', '--encoding=UTF8', '--no-locale'];
  const { exitCode, output } = await runProgram(
    join(binaries, 'initdb'),
    ['-D', data, '--no-sync', ...options],
    { user },
  );
  if (exitCode !== 0) throw new Error(output);
  await runServer(context, join(binaries, 'postgres'), { data, folder, user });
  const urlOf = (role: string, database: string) =>
    `postgres://${role}@localhost/${database}?host=${encodeURIComponent(folder)}&port=5432&sslmode=disable`;
  await eventually(
    'it accepts connections',
    () =>
      query(urlOf('admin', 'postgres'), 'SELECT 1').then(
        () => true,
        () => false,
      ),
    60_000,
  );
  await query(urlOf('admin', 'postgres'), 'CREATE ROLE zimbo LOGIN');
  await query(urlOf('admin', 'postgres'), 'CREATE DATABASE zimbo OWNER zimbo');
  return urlOf('zimbo', 'zimbo');
}

async function runServer(
  context: Pick<TestContext, 'after'>,
  program: string,
  { data, folder, user }: { data: string; folder: string; user: OsUser | undefined },
): Promise<void> {
  const settings = ['listen_addresses=', 'fsync=off', `unix_socket_directories=${folder}`];
  const server = spawn(program, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...(user && { uid: user.uid, gid: user.gid }),
    cwd: '/',
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('close', resolve));
  cleanUp(context, async () => {
    server.kill('SIGINT');
    await ended;
  });
}
