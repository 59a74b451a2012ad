import { hash } from 'node:crypto';

/** The block size of SHA-256, in bytes. */
const blockBytes = 64;
const digestBytes = 32;

const outer = Buffer.alloc(blockBytes + digestBytes);

/**
 * HMAC-SHA-256 (RFC 2104) of a prefix and the data after it, for values computed with each request and delivery: two
 * hashes of one call each. `createHmac` would create a native object each time, at twice the cost, and as much again
 * for garbage collection.
 * @param prefix of ASCII only
 */
export function hmac(
  key: Buffer,
  prefix: string,
  data: string | Buffer,
  encoding: 'hex' | 'base64',
): string {
  const block = key.length > blockBytes ? hash('sha256', key, 'buffer') : key;
  const start = blockBytes + prefix.length;
  const inner = Buffer.allocUnsafe(start + Buffer.byteLength(data));
  for (let index = 0; index < blockBytes; index++) {
    const byte = block[index] ?? 0;
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  inner.write(prefix, blockBytes, 'latin1');
  if (typeof data === 'string') inner.write(data, start);
  else data.copy(inner, start);
  outer.write(hash('sha256', inner, 'hex'), blockBytes, 'hex');
  return hash('sha256', outer, encoding);
}
