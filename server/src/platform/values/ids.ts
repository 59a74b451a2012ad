import { randomFillSync } from 'node:crypto';
import { v5, v7 } from 'uuid';

export type IdPrefix =
  | 'cs'
  | 'ci'
  | 'pr'
  | 'pl'
  | 'pi'
  | 're'
  | 'rb'
  | 'ri'
  | 'se'
  | 'we'
  | 'evt'
  | 'dl'
  | 'ak'
  | 'au'
  | 'me'
  | 'er'
  | 'pe'
  | 'pk'
  | 'iv'
  | 'ss'
  | 'ex'
  | 'ap'
  | 'ba'
  | 'bs'
  | 'rc'
  | 'rd'
  | 'no'
  | 'ro'
  | 'td'
  | 'di'
  | 'db'
  | 'dc'
  | 'tu'
  | 'kp'
  | 'kb'
  | 'dib';

/** A source of UUIDs that a test or a simulation can replace. */
export interface Ids {
  /** A UUIDv7 of the given instant; ids of one process grow even within a millisecond. */
  next(nowMs: number): string;
}

const maxSequence = 0xffffffff;

const idBytes = 16;

/** Random ids; the sequence starts low in its range so that it cannot overflow within a millisecond. */
export function randomIds(): Ids {
  // Requesting system randomness for one id at a time would cost more than everything else.
  const pool = Buffer.alloc(256 * idBytes);
  const made = Buffer.alloc(idBytes);
  let lastMs = 0;
  let sequence = 0;
  let used = pool.length;
  return {
    next(nowMs) {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const random = pool.subarray(used, used + idBytes);
      used += idBytes;
      if (nowMs !== lastMs || sequence >= maxSequence) {
        lastMs = nowMs;
        sequence = random.readUInt32BE(0) >>> 8;
      } else {
        sequence += 1;
      }
      return uuidOfBytes(v7({ msecs: nowMs, seq: sequence, random }, made));
    },
  };
}

/** The instant in a UUIDv7, in milliseconds. */
export function instantOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The smallest UUID that an id made at this instant can have: turns a time filter into a range of ids. */
export function firstUuidAt(instantMs: number): string {
  const hex = Math.max(0, Math.min(instantMs, 0xffffffffffff)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The same UUIDv5 for the same namespace and name, always: a reference that a retry derives again. */
export function derivedUuid(namespaceUuid: string, name: string): string {
  return v5(name, namespaceUuid);
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codes = Buffer.from(alphabet);
const hexCodes = Buffer.from('0123456789abcdef');
/** By character code: the value as a base32 and as a base16 digit; 255 if it is not a digit. */
const digitOf = valuesOf(alphabet);
const nibbleOf = valuesOf('0123456789abcdef', '0123456789ABCDEF');

function valuesOf(...alphabets: string[]): Uint8Array {
  const values = new Uint8Array(128).fill(255);
  for (const digits of alphabets) {
    for (const [value, digit] of Array.from(digits).entries()) values[digit.charCodeAt(0)] = value;
  }
  return values;
}

const encodedLength = 26;

/**
 * Ids are written here, character by character, and then read as one text: appending to a text allocates a new text
 * each time, and every request has several ids.
 */
const written = Buffer.alloc(64);
const textWritten = (length: number) => written.toString('latin1', 0, length);

/** What {@link parseId} takes, as a regular expression. */
export const idPattern = (prefix: IdPrefix) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** `pi_` and 26 characters of Crockford's base32 (as TypeID does): sorts as the UUID does. */
export function formatId(prefix: IdPrefix, uuid: string): string {
  let length = 0;
  for (; length < prefix.length; length++) written[length] = prefix.charCodeAt(length);
  written[length++] = underscore;
  // 130 bits hold the 128 of the UUID: the first digit carries only three.
  let buffer = 0;
  let bits = 2;
  for (let index = 0; index < uuid.length; index++) {
    const code = uuid.charCodeAt(index);
    if (code === dash) continue;
    buffer = (buffer << 4) | nibbleOf[code]!;
    bits += 4;
    if (bits < 5) continue;
    bits -= 5;
    written[length++] = codes[buffer >>> bits]!;
    buffer &= (1 << bits) - 1;
  }
  return textWritten(length);
}

const dash = 0x2d;
const underscore = 0x5f;

/** Writes a byte of a UUID, and the dash before it. Returns where the next byte is written. */
function writeByte(byte: number, index: number, at: number): number {
  let next = at;
  if (index === 4 || index === 6 || index === 8 || index === 10) written[next++] = dash;
  written[next++] = hexCodes[byte >>> 4]!;
  written[next++] = hexCodes[byte & 15]!;
  return next;
}

/** The UUID of an id, or undefined unless it is well-formed and has this prefix. */
export function parseId(prefix: IdPrefix, id: string): string | undefined {
  const start = prefix.length + 1;
  if (!id.startsWith(`${prefix}_`) || id.length !== start + encodedLength) return undefined;
  let buffer = 0;
  let bits = -2;
  let count = 0;
  let length = 0;
  for (let index = start; index < id.length; index++) {
    const digit = digitOf[id.charCodeAt(index)] ?? 255;
    if (digit === 255 || (bits === -2 && digit > 7)) return undefined;
    buffer = (buffer << 5) | digit;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      length = writeByte((buffer >>> bits) & 255, count++, length);
    }
    buffer &= (1 << bits) - 1;
  }
  return textWritten(length);
}

/** Transfers of a bank write the prefix with a hyphen. */
const prefixed = /^([a-z]{2,3})[_\s\p{Dash}](.*)$/u;
const uuidShape = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/;

/** Digits as people read them: in any case, with the letters that Crockford's base32 omits because they look alike. */
export const crockfordDigits = (text: string): string =>
  text.toLowerCase().replaceAll('o', '0').replaceAll('i', '1').replaceAll('l', '1');

/**
 * The UUID of an id as people copy it: in any case, with its prefix or without, or the UUID itself. Undefined for
 * other texts, and for the prefix of another kind.
 */
export function readId(prefixes: readonly IdPrefix[], text: string): string | undefined {
  const lower = text.normalize('NFKC').toLowerCase();
  if (uuidShape.test(lower)) return uuidOfBytes(Buffer.from(lower.replaceAll('-', ''), 'hex'));
  const [, given = prefixes[0]!, digits = lower] = prefixed.exec(lower) ?? [];
  const prefix = prefixes.find((each) => each === given);
  return prefix && parseId(prefix, `${prefix}_${crockfordDigits(digits)}`);
}

const referenceLength = 8;

/** `84V1 5X4A`: the end of an id, short enough to read out over the telephone. */
export function shortReference(uuid: string): string {
  const end = formatId('pi', uuid).slice(-referenceLength).toUpperCase();
  return `${end.slice(0, 4)} ${end.slice(4)}`;
}

/**
 * How the UUIDs end that have this {@link shortReference}, whatever signs stand in or around it, as 10 digits of base16;
 * undefined for any other text.
 */
export function endOfReferenced(reference: string): string | undefined {
  const bare = reference.normalize('NFKC').replace(/^\s*ref\p{L}*[\s.:]+/iu, '');
  const digits = crockfordDigits(bare.replace(/[^0-9a-z]/gi, ''));
  const uuid =
    digits.length === referenceLength && readId(['pi'], digits.padStart(encodedLength, '0'));
  return uuid ? uuid.slice(-10) : undefined;
}

/** Writes the 16 bytes of a UUID in its usual form. */
export function writeUuid(bytes: Uint8Array, uuid: string, offset: number): void {
  let at = offset;
  for (let index = 0; index < uuid.length; index += 2) {
    // Dashes stand only in front of a whole byte.
    if (uuid.charCodeAt(index) === dash) index += 1;
    const high = nibbleOf[uuid.charCodeAt(index)]!;
    bytes[at++] = (high << 4) | nibbleOf[uuid.charCodeAt(index + 1)]!;
  }
}

/** The 16 bytes of a UUID. */
export function bytesOfUuid(uuid: string): Buffer {
  const bytes = Buffer.allocUnsafe(idBytes);
  writeUuid(bytes, uuid, 0);
  return bytes;
}

/** Any 128 bits are a valid, if unused, id, so the version is not checked. */
export function uuidOfBytes(bytes: Uint8Array): string {
  let length = 0;
  for (let index = 0; index < idBytes; index++) length = writeByte(bytes[index]!, index, length);
  return textWritten(length);
}
