import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../errors/start-error.ts';
import type { DataDirectory } from './data-directory.ts';
import { fullDisk, isFullDisk } from './full-disk.ts';
import { isAlive } from './os-user.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

/** The role that owns the database. It is no superuser, so that we can deny it UPDATE on its own tables. */
export const applicationRole = 'zimbo';

/**
 * Creates the files of a new PostgreSQL, with our role and database. A rename puts the complete files in place, so a
 * crash half-way does no harm, and of processes that start together the first one wins.
 */
export async function createCluster(
  directory: DataDirectory,
  binaries: string,
  onWait?: () => void,
): Promise<void> {
  const { location, user } = directory;
  await removeAbandoned(location);
  const staging = join(location, `initdb-${process.pid}-${randomBytes(4).toString('hex')}`);
  const passwordFile = `${staging}.password`;
  try {
    await mkdir(staging, { mode: 0o700 });
    await writeFile(passwordFile, directory.password, { mode: 0o600 });
    if (user) for (const path of [staging, passwordFile]) await chown(path, user.uid, user.gid);
    await initialize(directory, binaries, { staging, passwordFile, onWait });
    await publish(staging, location);
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

async function initialize(
  { user, password }: DataDirectory,
  binaries: string,
  given: { staging: string; passwordFile: string; onWait: (() => void) | undefined },
): Promise<void> {
  const { staging, passwordFile, onWait } = given;
  const running = runProgram(
    join(binaries, 'bin', 'initdb'),
    [
      `--pgdata=${staging}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // Other programs may run as the same system user, above all as "nobody".
      '--auth-local=scram-sha-256',
      '--auth-host=scram-sha-256',
      '--data-checksums',
      '--no-instructions',
    ],
    { user },
  );
  onWait?.();
  assertDone(await running, staging);
  const statements = [
    `CREATE ROLE ${applicationRole} LOGIN CREATEDB PASSWORD '${password}';`,
    // Lets the role read data_directory, and so recognise the server as its own.
    `GRANT pg_read_all_settings TO ${applicationRole};`,
    `CREATE DATABASE zimbo OWNER ${applicationRole};`,
  ];
  const single = await runProgram(
    join(binaries, 'bin', 'postgres'),
    ['--single', '-D', staging, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', 'postgres'],
    { user, input: `${statements.join('\n')}\n` },
  );
  assertDone(single, staging);
}

function assertDone({ exitCode, output }: ProgramResult, folder: string): void {
  if (exitCode === 0) return;
  if (isFullDisk(output)) throw fullDisk(dirname(folder));
  const lastLines = output.trim().split('\n').slice(-10).join('\n');
  throw new StartError(`PostgreSQL could not set up its files:\n${lastLines}`);
}

async function publish(staging: string, location: string): Promise<void> {
  try {
    await rename(staging, join(location, 'data'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (
      code === 'ENOTEMPTY' ||
      code === 'EEXIST' ||
      (code === 'EPERM' && process.platform === 'win32')
    )
      return;
    throw error;
  }
  // The rename, too, must survive a power cut.
  if (process.platform === 'win32') return;
  await using handle = await open(location);
  await handle.sync();
}

/** Removes leftovers of killed processes. If initdb still writes there, it fails, and the next start tries again. */
async function removeAbandoned(location: string): Promise<void> {
  for (const name of await readdir(location)) {
    const owner = /^initdb-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const retries = { maxRetries: 5, retryDelay: 50 };
    await rm(join(location, name), { recursive: true, force: true, ...retries }).catch(() => {});
  }
}
