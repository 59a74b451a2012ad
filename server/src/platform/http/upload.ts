import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../errors/errors.ts';
import { scratchFolder } from '../process/scratch.ts';

const mebibyte = 1024 * 1024;
/** Each upload takes disk space until it is processed. */
const mostAtOnce = 4;
let underWay = 0;

/** The file exceeds the limit. */
export class UploadTooLarge extends DomainError {
  constructor(mostBytes: number) {
    const most = `${Math.floor(mostBytes / mebibyte)} MiB`;
    super('VALIDATION_ERROR', `The statement must not be larger than ${most}.`);
  }
}

/**
 * Stores an upload in a temporary file while it is processed, so that a slow upload occupies neither a database connection nor memory. The server ends a request that takes too long to arrive.
 * @throws UploadTooLarge
 * @throws RATE_LIMITED other files are being uploaded
 */
export async function withUpload<T>(
  body: Readable,
  mostBytes: number,
  run: (path: string) => Promise<T>,
): Promise<T> {
  if (underWay >= mostAtOnce) {
    throw new DomainError('RATE_LIMITED', 'Other files are being uploaded. Try again soon.');
  }
  underWay += 1;
  try {
    const folder = await scratchFolder();
    try {
      const path = join(folder, 'upload');
      await pipeline(body, limited(mostBytes), createWriteStream(path, { mode: 0o600 }));
      return await run(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } finally {
    underWay -= 1;
  }
}

const limited = (mostBytes: number) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new UploadTooLarge(mostBytes);
      yield chunk;
    }
  };
