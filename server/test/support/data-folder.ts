import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Ten times the size of the databases of all tests that run at once. */
const bytesForData = 2 * 2 ** 30;

/**
 * In memory, if there is room. Each database has some 700 files that live for seconds, and ext4
 * takes ever longer to find a place for new files, because it does not reuse the place of a deleted
 * file for minutes.
 */
export function parentOfData(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (Math.min(bavail * bsize, process.availableMemory()) < bytesForData) return tmpdir();
    accessSync(memory, constants.W_OK | constants.X_OK);
    return memory;
  } catch {
    return tmpdir();
  }
}
