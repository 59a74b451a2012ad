import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSecretKey } from './secrets.ts';
import { StartError } from './start-error.ts';

const pathIn = (dataDir: string) => join(dataDir, 'secret.key');

/** With the embedded database the key is made at the first start and lies beside it. */
export async function keptSecretKey(dataDir: string): Promise<Buffer> {
  const made = randomBytes(32).toString('base64');
  // "wx" fails where the file exists, so a key is never overwritten.
  await writeFile(pathIn(dataDir), `${made}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    },
  );
  return (await findKeptSecretKey(dataDir))!;
}

/** @returns undefined where none has been made yet */
export async function findKeptSecretKey(dataDir: string): Promise<Buffer | undefined> {
  const path = pathIn(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = parseSecretKey(text.trim());
  if (key) return key;
  throw new StartError(
    `The file ${path} does not hold a secret key.`,
    'Restore it: without it the secrets of webhook endpoints cannot be read.',
  );
}
