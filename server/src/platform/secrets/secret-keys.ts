import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../errors/start-error.ts';
import { parseSecretKey } from './secret-box.ts';

/** The keys of stored secrets: the current one, and the previous one during a rotation. */
export interface SecretKeys {
  current: Buffer;
  previous: Buffer | undefined;
}

interface SecretKeySettings {
  secretKey: Buffer | undefined;
  previousSecretKey: Buffer | undefined;
  dataDir: string;
}

const currentName = 'secret.key';
const previousName = 'secret.key.previous';
const draftName = 'secret.key.draft';

/**
 * The keys in the settings, or else those beside the embedded database; undefined if there are none yet.
 * @throws StartError if a file contains no valid key
 */
export async function findSecretKeys(config: SecretKeySettings): Promise<SecretKeys | undefined> {
  const { secretKey, previousSecretKey, dataDir } = config;
  if (secretKey) return { current: secretKey, previous: previousSecretKey };
  const current = await readKey(join(dataDir, currentName));
  return current && { current, previous: await readKey(join(dataDir, previousName)) };
}

/** The same for a gateway: with the embedded database, the first start creates the key. */
export async function openSecretKeys(config: SecretKeySettings): Promise<SecretKeys> {
  const found = await findSecretKeys(config);
  if (found) return found;
  const draft = await writeDraft(config.dataDir, randomBytes(32));
  // Linking fails if the file exists, so a key is never overwritten.
  await link(draft, join(config.dataDir, currentName)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  await syncDirectory(config.dataDir);
  return (await findSecretKeys(config))!;
}

/**
 * Puts a new key beside the embedded database, and the old key next to it. Each step is on disk before the next
 * begins, so readers of the files, and a retry after a crash, always find the key of everything stored. An unfinished
 * rotation continues with its keys.
 */
export async function beginKeyRotation(dataDir: string): Promise<SecretKeys> {
  const current = await readKey(join(dataDir, currentName));
  if (!current) throw new StartError(`There is no key in ${dataDir} yet: start the gateway first.`);
  const previous = await readKey(join(dataDir, previousName));
  if (previous && !previous.equals(current)) return { current, previous };
  if (!previous) await replace(dataDir, previousName, current);
  const next = randomBytes(32);
  await replace(dataDir, currentName, next);
  return { current: next, previous: current };
}

/** Deletes the old key, once nothing needs it any more. */
export async function finishKeyRotation(dataDir: string): Promise<void> {
  await rm(join(dataDir, previousName), { force: true });
  await syncDirectory(dataDir);
}

async function readKey(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartError(`The secret key cannot be read: ${message}.`, undefined, { cause: error });
  }
  const key = parseSecretKey(text);
  if (key) return key;
  throw new StartError(
    `The file ${path} does not hold a secret key.`,
    'Restore it: without it the secrets of webhook endpoints cannot be read.',
  );
}

async function replace(dataDir: string, name: string, key: Buffer): Promise<void> {
  await rename(await writeDraft(dataDir, key), join(dataDir, name));
  await syncDirectory(dataDir);
}

/** A draft left by a crash was never used. */
async function writeDraft(dataDir: string, key: Buffer): Promise<string> {
  const draft = join(dataDir, draftName);
  await rm(draft, { force: true });
  await using file = await open(draft, 'wx', 0o600);
  await file.writeFile(`${key.toString('base64')}\n`);
  await file.sync();
  return draft;
}

/** A rename, too, must survive a power cut. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using directory = await open(path);
  await directory.sync();
}
