import { writeUuid } from '../values/ids.ts';

/**
 * Array parameters in PostgreSQL's binary format. The text format would escape every array here and parse it there,
 * character by character: on the hot paths that was a quarter of all work.
 */

type Nullable<Value> = readonly (Value | null)[];

/** Encodes a PostgreSQL type: the number of bytes a value takes, and the bytes. */
interface Codec<Value> {
  typeId: number;
  sizeOf: (value: Value) => number;
  write: (buffer: Buffer, value: Value, offset: number, size: number) => void;
}

const headerSize = 20;

function arrayOf<Value>(codec: Codec<Value>, values: Nullable<Value>): Buffer {
  const { typeId, sizeOf, write } = codec;
  // Counting the bytes of a text costs as much as writing them, so they are counted once.
  const sizes = new Int32Array(values.length);
  let size = headerSize;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    const bytes = value === null ? -1 : sizeOf(value);
    sizes[index] = bytes;
    size += 4 + (bytes > 0 ? bytes : 0);
  }
  const buffer = Buffer.allocUnsafe(size);
  // Header: dimensions, whether NULLs may occur, element type; then length and first index of the only dimension.
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
/** For timestamptz[]: instants in milliseconds since 1970. Fractions of a millisecond are dropped. */
export const instantArray = (values: Nullable<number>): Buffer => arrayOf(instant, values);
