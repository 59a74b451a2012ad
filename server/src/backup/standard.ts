import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileSource } from './file.ts';
import type { Sink, Source } from './place.ts';

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
    await pipeline(counted, process.stdout, { signal, end: false });
    return bytes;
  },
};

/** Runs with what comes on standard input, which is kept in a file meanwhile: a restore reads it twice. */
export async function withStandardInput<T>(
  { folder, identities }: { folder: string; identities: readonly string[] },
  run: (source: Source) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(folder, 'zimbo-input-'));
  try {
    const file = join(own, 'backup');
    await pipeline(process.stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return await run({ ...fileSource(file, identities), name: '-' });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
