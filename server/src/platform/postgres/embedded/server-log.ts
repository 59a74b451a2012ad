import { constants } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';

const largestBytes = 10 * 1024 * 1024;

/** Opens the server's log for appending; a large log is renamed to `server.log.old` first. */
export async function openServerLog({ location, user }: DataDirectory): Promise<FileHandle> {
  const file = join(location, 'server.log');
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > largestBytes) await rename(file, `${file}.old`);
  // A link planted by the directory's owner must not lead root astray.
  const noFollow = constants.O_NOFOLLOW ?? 0;
  const log = await open(
    file,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | noFollow,
    0o600,
  );
  if (user) await log.chown(user.uid, user.gid);
  return log;
}

/** The last lines written since the log had this size. */
export async function lastLines(log: FileHandle, sinceByte: number): Promise<string> {
  const { size } = await log.stat();
  const length = Math.min(size - sinceByte, 8192);
  const { buffer } = await log.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8').trimEnd().split('\n').slice(-12).join('\n');
}
