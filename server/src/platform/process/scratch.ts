import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'zimbo-scratch-';
/** No file is worked on for so long. */
const forgottenAfterMs = 3_600_000;

/** A folder for one file that is worked on, which its maker removes. It needs a disk: files may have 128 MiB. */
export const scratchFolder = (): Promise<string> => mkdtemp(join(tmpdir(), prefix));

/** Removes what processes left that were killed, and not what others work on now. */
export async function removeForgottenScratch(nowMs: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(tmpdir(), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs }));
    // What is somebody else's is theirs to remove.
    if (nowMs - mtimeMs > forgottenAfterMs) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}
