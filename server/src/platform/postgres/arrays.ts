import { writeUuid } from '../values/ids.ts';

/**
 * Array parameters in PostgreSQL's binary format. The text format would escape every array here and parse it there,
 * character by character: on the hot paths that was a quarter of all work.
 */

/** Encodes a PostgreSQL type: the number of bytes a value takes, and the bytes. */
interface Codec<Value> {
  typeId: number;
  sizeOf: (value: Value) => number;
  write: (buffer: Buffer, value: Value, offset: number, size: number) => void;
}

const headerSize = 20;

/** Of the values of the array that is being encoded. */
let sizes = new Int32Array(256);

/** The same as Buffer's, whose checks allocate. */
function writeInt32(buffer: Buffer, value: number, offset: number): void {
  buffer[offset] = value >>> 24;
  buffer[offset + 1] = value >>> 16;
  buffer[offset + 2] = value >>> 8;
  buffer[offset + 3] = value;
}

/** Makes the array of values, or of what `of` reads from rows, which saves a list of the values in between. */
export type ArrayOf<Value, Encoded = Buffer> = <Row = Value | null>(
  rows: readonly Row[],
  of?: (row: Row) => Value | null,
  nulls?: Nulls,
) => Encoded;

/** OMITTED: an array without any value is sent without its NULLs. */
export type Nulls = 'SENT' | 'OMITTED';

const itself = (value: never) => value;

function encoder<Value>(codec: Codec<Value>): ArrayOf<Value> {
  const empty = Buffer.alloc(12);
  writeHeader(empty, codec.typeId, 0);
  return (rows, of = itself as never, nulls = 'SENT') =>
    rows.length === 0 ? empty : (encode(codec, rows, of, nulls) ?? empty);
}

/** Dimensions, whether NULLs may occur, element type; then length and first index of the only dimension. */
function writeHeader(buffer: Buffer, typeId: number, count: number): void {
  writeInt32(buffer, count === 0 ? 0 : 1, 0);
  writeInt32(buffer, 1, 4);
  writeInt32(buffer, typeId, 8);
  if (count === 0) return;
  writeInt32(buffer, count, 12);
  writeInt32(buffer, 1, 16);
}

/** Undefined without any value, if the NULLs are omitted. */
function encode<Row, Value>(
  { typeId, sizeOf, write }: Codec<Value>,
  rows: readonly Row[],
  of: (row: Row) => Value | null,
  nulls: Nulls,
): Buffer | undefined {
  if (sizes.length < rows.length) sizes = new Int32Array(rows.length);
  let size = headerSize;
  let isOmitted = nulls === 'OMITTED';
  // Counting the bytes of a text costs as much as writing them, so they are counted once.
  for (let index = 0; index < rows.length; index++) {
    const value = of(rows[index]!);
    const bytes = value === null ? -1 : sizeOf(value);
    sizes[index] = bytes;
    size += 4 + (bytes > 0 ? bytes : 0);
    isOmitted &&= value === null;
  }
  if (isOmitted) return undefined;
  const buffer = Buffer.allocUnsafe(size);
  writeHeader(buffer, typeId, rows.length);
  let offset = headerSize;
  for (let index = 0; index < rows.length; index++) {
    const length = sizes[index]!;
    writeInt32(buffer, length, offset);
    offset += 4;
    if (length <= 0) continue;
    write(buffer, of(rows[index]!)!, offset, length);
    offset += length;
  }
  return buffer;
}

const uuid: Codec<string> = {
  typeId: 2950,
  sizeOf: () => 16,
  write: writeUuid,
};

/** Below this length, encoding in JavaScript is faster than a call into Node. */
const shortLength = 32;

const text: Codec<string> = {
  typeId: 25,
  sizeOf: (value) =>
    value.length <= shortLength && isAscii(value) ? value.length : Buffer.byteLength(value),
  write: (buffer, value, offset, size) => {
    // The text is pure ASCII: as many bytes as characters.
    if (size > shortLength || size !== value.length) buffer.write(value, offset);
    else
      for (let index = 0; index < size; index++) buffer[offset + index] = value.charCodeAt(index);
  },
};

function isAscii(value: string): boolean {
  for (let index = 0; index < value.length; index++)
    if (value.charCodeAt(index) > 127) return false;
  return true;
}

const integer: Codec<number> = {
  typeId: 23,
  sizeOf: () => 4,
  // With Buffer's check: a number beyond four bytes must not become another.
  write: (buffer, value, offset) => buffer.writeInt32BE(value, offset),
};

const boolean: Codec<boolean> = {
  typeId: 16,
  sizeOf: () => 1,
  write: (buffer, value, offset) => buffer.writeUInt8(+value, offset),
};

const bigint: Codec<bigint> = {
  typeId: 20,
  sizeOf: () => 8,
  write: (buffer, value, offset) => buffer.writeBigInt64BE(value, offset),
};

const binary: Codec<Buffer> = {
  typeId: 17,
  sizeOf: (value) => value.length,
  write: (buffer, value, offset) => value.copy(buffer, offset),
};

/** PostgreSQL counts microseconds since 2000. */
const epochMs = Date.UTC(2000, 0, 1);
const twoTo32 = 2 ** 32;

const instant: Codec<number> = {
  typeId: 1184,
  sizeOf: () => 8,
  write: (buffer, ms, offset) => {
    const microseconds = (Math.trunc(ms) - epochMs) * 1_000;
    const high = Math.floor(microseconds / twoTo32);
    writeInt32(buffer, high, offset);
    writeInt32(buffer, microseconds - high * twoTo32, offset + 4);
  },
};

/** For uuid[]. */
export const uuidArray = encoder(uuid);
/** For text[]. */
export const textArray = encoder(text);
/** For integer[]. */
export const integerArray = encoder(integer);
/** For numeric[], in the text format: whole numbers, however large. NULLs are always sent. */
export const numericArray: ArrayOf<bigint, string> = (rows, of = itself as never) =>
  `{${rows.map((row) => of(row) ?? 'NULL').join(',')}}`;
/** For bigint[]. */
export const bigintArray = encoder(bigint);
/** For boolean[]. */
export const booleanArray = encoder(boolean);
/** For bytea[]. */
export const binaryArray = encoder(binary);
/** For timestamptz[]: instants in milliseconds since 1970. Fractions of a millisecond are dropped. */
export const instantArray = encoder(instant);
