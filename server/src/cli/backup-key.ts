import { writeFile } from 'node:fs/promises';
import { StartError } from '../platform/errors/start-error.ts';

/** In the format of age-keygen, so that the tools of age can read it too. */
export async function makeBackupKey(file: string): Promise<void> {
  const { oneTimeKey } = await import('../operations/backup/encryption.ts');
  const { identity, recipient } = await oneTimeKey();
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new StartError(`${JSON.stringify(file)} already exists.`, 'Name a new file.');
    }
    throw new StartError(`${JSON.stringify(file)} cannot be written (${code}).`);
  }
  console.log(`BACKUP_RECIPIENTS=${recipient}`);
  console.error(`
The private key is in ${file}. Without it, nobody can read these backups, and the gateway does not need it.
Move it to a place without backups: a password manager, or paper in a safe. Keep two copies.`);
}
