import { hash } from 'node:crypto';

/** Of SHA-256, in bytes. */
const blockBytes = 64;
const digestBytes = 32;

/**
 * HMAC-SHA-256 under one key (RFC 2104), for what is computed with each request: two hashes made in one call
 * each. `createHmac` makes an object of Node's own every time, at twice the cost, and as much again to collect it.
 * @returns hexadecimal digits
 */
export function hmacUnder(key: Buffer): (data: string | Buffer) => string {
  const short = key.length > blockBytes ? hash('sha256', key, 'buffer') : key;
  const inner = padded(short, 0x36, 0);
  const outer = padded(short, 0x5c, digestBytes);
  return (data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    outer.write(hash('sha256', Buffer.concat([inner, bytes])), blockBytes, 'hex');
    return hash('sha256', outer);
  };
}

/** A block with the key and a pad in it, and room for what follows. */
function padded(key: Buffer, pad: number, roomBytes: number): Buffer {
  const block = Buffer.alloc(blockBytes + roomBytes, 0);
  for (let index = 0; index < blockBytes; index++) block[index] = (key[index] ?? 0) ^ pad;
  return block;
}
