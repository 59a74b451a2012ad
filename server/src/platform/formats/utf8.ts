import { isUtf8 } from 'node:buffer';
import { CsvError } from './csv.ts';

/**
 * Decodes streamed text. Without a check, anything but UTF-8 would silently become different text. @throws CsvError
 * with the line that is not UTF-8
 */
export async function* readUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  let begun: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([begun, chunk]);
    yield decoded(() => decoder.decode(chunk, { stream: true }), line, bytes);
    line += chunk.reduce((count, byte) => (byte === newLine ? count + 1 : count), 0);
    begun = lastCharacter(bytes);
  }
  yield decoded(() => decoder.decode(), line, begun);
}

const newLine = 0x0a;

/** Keeps the bytes of a character that the next chunk may complete. */
function lastCharacter(bytes: Buffer): Buffer {
  const start = bytes.subarray(-3).findLastIndex((byte) => byte >= 0xc0);
  return start < 0 ? Buffer.alloc(0) : bytes.subarray(-3).subarray(start);
}

function decoded(decode: () => string, line: number, bytes: Buffer): string {
  try {
    return decode();
  } catch {
    const message = 'the file must be UTF-8: save it as CSV UTF-8';
    throw new CsvError(line + linesBefore(bytes), message, 'ENCODING');
  }
}

/** How many lines end before the first invalid byte. */
function linesBefore(bytes: Buffer): number {
  let lines = 0;
  for (let start = 0; ; lines += 1) {
    const end = bytes.indexOf(newLine, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return lines;
    start = end + 1;
  }
}
