import { randomBytes } from 'node:crypto';
import { access, link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../../errors/start-error.ts';

const markerName = 'zimbo.json';
/**
 * What may be there before the first start of the database: files of the gateway and its commands, or for a restore,
 * and the folder with which a new volume begins.
 */
const gatewayEntries = new Set([
  markerName,
  'demo.env',
  'secret.key',
  'secret.key.previous',
  'secret.key.draft',
  'payouts',
  'erasures.jsonl',
  'verify',
  'lost+found',
]);
const markerNote =
  "This directory is the DATA_DIR of a Zimbo gateway; its PostgreSQL's files are in the place named below.";

/** The file that marks a directory as our DATA_DIR. */
export interface Marker {
  about: string;
  /** Where PostgreSQL's files are: relative to DATA_DIR, or absolute. */
  postgres: string;
  /** The passwords of our role and the superuser. */
  password: string;
}

/** @throws StartError if the file exists but is not ours to read. */
export async function readMarker(dataDir: string): Promise<Marker | undefined> {
  const file = join(dataDir, markerName);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}.`,
      'Start Zimbo as the user who started it there first, or set DATA_DIR to another directory.',
      { cause: error },
    );
  }
  try {
    const { postgres, password } = JSON.parse(text) as Partial<Marker>;
    if (typeof postgres === 'string' && typeof password === 'string')
      return { about: markerNote, postgres, password };
  } catch {}
  throw new StartError(
    `DATA_DIR ${dataDir} cannot be used: Zimbo did not write the file ${markerName} in it.`,
    'Set DATA_DIR to an empty directory, or to one that does not exist yet.',
  );
}

/**
 * Whether a directory has an embedded database, judged by its files alone: opening it would create one.
 * @throws StartError like {@link readMarker}
 */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const marker = await readMarker(dataDir);
  if (!marker) return false;
  return access(join(resolve(dataDir, marker.postgres), 'data')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
}

/** @throws StartError if the directory contains foreign files. */
export async function checkUnmarked(dataDir: string): Promise<void> {
  const foreign = (await readdir(dataDir)).find(
    (name) => !gatewayEntries.has(name) && !name.startsWith(`${markerName}.`),
  );
  // Another process may have marked and filled the directory meanwhile.
  if (foreign === undefined || (await readMarker(dataDir))) return;
  throw new StartError(
    `DATA_DIR ${dataDir} contains something that is not Zimbo's (${foreign}); nothing was changed.`,
    'Set DATA_DIR to an empty directory, or to one that does not exist yet.',
  );
}

/** Of processes that start together, one marks the directory; all follow its marker. */
export async function writeMarker(dataDir: string, postgres: string): Promise<Marker> {
  const marker = { about: markerNote, postgres, password: randomBytes(24).toString('hex') };
  const draft = join(dataDir, `${markerName}.${randomBytes(4).toString('hex')}`);
  await writeFile(draft, `${JSON.stringify(marker, undefined, 2)}\n`, { mode: 0o600 });
  try {
    await link(draft, join(dataDir, markerName));
    return marker;
  } catch (error) {
    const winner = await readMarker(dataDir);
    if (winner) return winner;
    throw error;
  } finally {
    await rm(draft);
  }
}
