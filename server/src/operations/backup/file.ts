import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../platform/errors/start-error.ts';
import { syncFolder } from '../../platform/process/sync-folder.ts';
import type { Sink, Source } from './storage-location.ts';

const chunkSize = 262_144;

/** A file that appears only when complete, readable only by its owner. */
export function fileSink(file: string): Sink {
  return {
    prepare: () => refuseExisting(file),
    async write(contents, signal) {
      const partial = partialOf(file);
      const output = await createFile(partial);
      try {
        await pipeline(contents, output, { signal });
        await refuseExisting(file);
        await rename(partial, file);
      } catch (error) {
        output.destroy();
        await rm(partial, { force: true });
        throw inWords(error, file);
      }
      await syncFolder(dirname(file));
      return (await stat(file)).size;
    },
  };
}

/** The name of the file while it is written. */
export const partialOf = (file: string) => `${file}.partial`;

export const fileSource = (file: string, identities: readonly string[] = []): Source => ({
  name: file,
  identities,
  open: () => openFile(file),
});

export async function openFile(file: string): Promise<Readable> {
  try {
    // A folder opens too, but cannot be read.
    if ((await stat(file)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return (await open(file)).createReadStream({ highWaterMark: chunkSize });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${JSON.stringify(file)} cannot be read (${code}).`);
  }
}

/** Only the owner may read a file with customers' phones and keys. */
async function createFile(partial: string): Promise<WriteStream> {
  const output = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await once(output, 'open');
    return output;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new StartError(
        `${JSON.stringify(partial)} already exists: another backup is writing it, or one was interrupted.`,
        'If none is running, remove that file.',
      );
    }
    if (explainFullDisk(error) !== undefined) throw inWords(error, partial);
    throw new StartError(
      `${JSON.stringify(partial)} cannot be written (${code}).`,
      'Name a file in a folder that exists and that you may write to.',
    );
  }
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new StartError(`${JSON.stringify(file)} already exists.`, 'Name a new file.');
}

const fullDiskReasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file exceeds the size limit',
  EIO: 'the disk reports an error',
};

/** Why a disk accepts no more data; undefined for other errors. */
export const explainFullDisk = (error: unknown): string | undefined =>
  fullDiskReasons[(error as NodeJS.ErrnoException).code ?? ''];

function inWords(error: unknown, file: string): unknown {
  const reason = explainFullDisk(error);
  if (reason === undefined) return error;
  return new StartError(
    `${JSON.stringify(file)} cannot be written: ${reason}. The incomplete file was removed.`,
    'Make room, or keep backups somewhere else.',
    { cause: error },
  );
}
