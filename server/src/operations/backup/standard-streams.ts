import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../platform/errors/start-error.ts';
import { chunkSize, explainFullDisk } from './file.ts';
import type { Sink, Source } from './storage-location.ts';

/** Standard output, for the next program of a pipe. */
export const standardOutput: Sink = {
  async write(contents, signal) {
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of contents) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    // An unhandled error would end the program; this error is awaited.
    const others = process.stdout.listeners('error') as (() => void)[];
    process.stdout.removeAllListeners('error');
    try {
      await pipeline(counted, process.stdout, { signal, end: false });
    } catch (error) {
      throw ofOutput(error);
    } finally {
      for (const listener of others) process.stdout.on('error', listener);
    }
    return bytes;
  },
};

function ofOutput(error: unknown): unknown {
  const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE';
  const reason = isClosed ? 'the reading program has ended' : explainFullDisk(error);
  if (reason === undefined) return error;
  return new StartError(
    `Standard output accepts no more data: ${reason}.`,
    'The output so far is not a usable backup: remove it.',
    { cause: error },
  );
}

/**
 * Runs with the content of standard input, stored in a file, because a restore reads it twice. The file has no name, so
 * that nothing of it stays on the disk, however this process ends.
 */
export async function withStandardInput<T>(
  { folder, identities }: { folder: string; identities: readonly string[] },
  run: (source: Source) => Promise<T>,
): Promise<T> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `zimbo-input-${randomUUID()}`);
    await using file = await open(path, 'wx+', 0o600);
    await rm(path);
    await file.writeFile(process.stdin);
    return await run({ name: '-', identities, open: async () => Readable.from(chunksOf(file)) });
  } catch (error) {
    throw fullFolderError(folder, error);
  }
}

/** A stream of the file itself would close it when it is destroyed. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(chunkSize), position });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function fullFolderError(folder: string, error: unknown): unknown {
  const reason = explainFullDisk(error);
  if (reason === undefined) return error;
  return new StartError(
    `Standard input cannot be stored in ${folder}: ${reason}. Nothing was restored.`,
    'Make room, or copy the backup to a file on another disk and name that file.',
    { cause: error },
  );
}
