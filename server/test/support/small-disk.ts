import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { testFolder } from './backup.ts';
import { cleanUp } from './cleanup.ts';

export const mayMount = () =>
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** A file system that is soon full. @param size as `mount` reads it, such as 1m */
export async function smallDisk(context: TestContext, size: string): Promise<string> {
  const folder = join(await testFolder(context), 'disk');
  await mkdir(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  cleanUp(context, () => execFileSync('umount', [folder]));
  return folder;
}
