import { writeUuid } from '../values/ids.ts';

/**
 * Array parameters in PostgreSQL's binary format. As text, every array would be escaped here and
 * parsed there letter by letter: on the hot paths that was a quarter of all work.
 */

type Nullable<Value> = readonly (Value | null)[];

/** How a type of PostgreSQL is written: how many bytes a value takes, and which. */
interface Codec<Value> {
  typeId: number;
  sizeOf: (value: Value) => number;
  write: (buffer: Buffer, value: Value, offset: number, size: number) => void;
}

const headerSize = 20;

function arrayOf<Value>(codec: Codec<Value>, values: Nullable<Value>): Buffer {
  const { typeId, sizeOf, write } = codec;
  // Counted once: the bytes of a text are as dear to count as to write.
  const sizes = new Int32Array(values.length);
  let size = headerSize;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    const bytes = value === null ? -1 : sizeOf(value);
    sizes[index] = bytes;
    size += 4 + (bytes > 0 ? bytes : 0);
  }
  const buffer = Buffer.allocUnsafe(size);
  // Dimensions, whether NULLs may occur, the type, and of the one dimension: length, first index.
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(typeId, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let offset = headerSize;
  for (let index = 0; index < values.length; index++) {
    const length = sizes[index]!;
    buffer.writeInt32BE(length, offset);
    offset += 4;
    if (length <= 0) continue;
    write(buffer, values[index] as Value, offset, length);
    offset += length;
  }
  return values.length === 0 ? buffer.subarray(0, 12) : buffer;
}

const uuid: Codec<string> = {
  typeId: 2950,
  sizeOf: () => 16,
  write: writeUuid,
};

/** Up to so many characters, a text is read here letter by letter: a call into Node costs more. */
const shortLength = 32;

const text: Codec<string> = {
  typeId: 25,
  sizeOf: (value) =>
    value.length <= shortLength && isAscii(value) ? value.length : Buffer.byteLength(value),
  write: (buffer, value, offset, size) => {
    // As many bytes as characters: nothing but ASCII.
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
    buffer.writeInt32BE(high, offset);
    buffer.writeUInt32BE(microseconds - high * twoTo32, offset + 4);
  },
};

/** For uuid[]. */
export const uuidArray = (values: Nullable<string>): Buffer => arrayOf(uuid, values);
/** For text[]. */
export const textArray = (values: Nullable<string>): Buffer => arrayOf(text, values);
/** For integer[]. */
export const integerArray = (values: Nullable<number>): Buffer => arrayOf(integer, values);
/** For bigint[]. */
export const bigintArray = (values: Nullable<bigint>): Buffer => arrayOf(bigint, values);
/** For boolean[]. */
export const booleanArray = (values: Nullable<boolean>): Buffer => arrayOf(boolean, values);
/** For bytea[]. */
export const binaryArray = (values: Nullable<Buffer>): Buffer => arrayOf(binary, values);
/** Of instants in milliseconds since 1970, for timestamptz[]; parts of a millisecond are dropped. */
export const instantArray = (values: Nullable<number>): Buffer => arrayOf(instant, values);
