import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Ten times what the databases of the tests that run at once take. */
const bytesForData = 2 * 2 ** 30;

/**
 * In memory, where there is room. Each database is some 700 files, made and deleted within seconds, and ext4 searches ever
 * longer for a place for the next file: for minutes it does not give a deleted one's to another.
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
