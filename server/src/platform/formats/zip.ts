import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';

interface ZipEntry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/**
 * A ZIP file, written as its contents arrive, in constant memory. All files in it have the time 1980-01-01 00:00:00, so
 * that the same contents make the same bytes. Sizes follow the data, because they are unknown before; the index at the
 * end repeats them.
 */
export class ZipFile {
  #entries: ZipEntry[] = [];
  #offset = 0;

  async *file(
    name: string,
    parts: AsyncIterable<string> | Iterable<string | Uint8Array>,
  ): AsyncGenerator<Buffer> {
    const entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset: this.#offset };
    const head = Buffer.concat([
      record(0x04034b50, [20, 0x808, 8, 0, 0x21]),
      sizesOf(entry),
      lengthOf(entry),
      entry.name,
    ]);
    yield this.#counted(head);
    const deflate = createDeflateRaw({ level: 4 });
    const out: Buffer[] = [];
    deflate.on('data', (bytes: Buffer) => {
      entry.packed += bytes.length;
      out.push(bytes);
    });
    try {
      for await (const part of parts) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part;
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        await new Promise<void>((resolve, reject) => {
          deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
        });
        for (const packed of out.splice(0)) yield this.#counted(packed);
      }
      const ended = once(deflate, 'end');
      deflate.end();
      await ended;
      for (const packed of out.splice(0)) yield this.#counted(packed);
    } finally {
      deflate.destroy();
    }
    yield this.#counted(Buffer.concat([record(0x08074b50, []), sizesOf(entry)]));
    this.#entries.push(entry);
  }

  end(): Buffer {
    const index = Buffer.concat(
      this.#entries.map((entry) => {
        const place = Buffer.alloc(14);
        place.writeUInt32LE(entry.offset, 10);
        const head = record(0x02014b50, [20, 20, 0x808, 8, 0, 0x21]);
        return Buffer.concat([head, sizesOf(entry), lengthOf(entry), place, entry.name]);
      }),
    );
    const { length } = this.#entries;
    const end = Buffer.alloc(10);
    end.writeUInt32LE(index.length, 0);
    end.writeUInt32LE(this.#offset, 4);
    return Buffer.concat([index, record(0x06054b50, [0, 0, length, length]), end]);
  }

  #counted(bytes: Buffer): Buffer {
    this.#offset += bytes.length;
    return bytes;
  }
}

/** A signature, and numbers of two bytes each. */
function record(signature: number, numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * numbers.length);
  bytes.writeUInt32LE(signature, 0);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16LE(number, 4 + 2 * index);
  return bytes;
}

function sizesOf({ crc, packed, size }: ZipEntry): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(crc, 0);
  bytes.writeUInt32LE(packed, 4);
  bytes.writeUInt32LE(size, 8);
  return bytes;
}

/** Of the name, and of further fields, of which there are none. */
function lengthOf({ name }: ZipEntry): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(name.length, 0);
  return bytes;
}
