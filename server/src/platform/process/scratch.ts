import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'zimbo-scratch-';
/** Longer than any file is in use. */
const forgottenAfterMs = 3_600_000;

/** A temporary folder for one file, removed by its creator. It needs a disk: files may have 128 MiB. */
export const scratchFolder = (): Promise<string> => mkdtemp(join(tmpdir(), prefix));

/** Removes leftovers of killed processes, but no files in use. */
export async function removeForgottenScratch(nowMs: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(tmpdir(), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs }));
    // Files of other users are theirs to remove.
    if (nowMs - mtimeMs > forgottenAfterMs) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}
