import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const version = 1;
const keyIdEnd = 5;
const ivEnd = keyIdEnd + 12;
const tagEnd = ivEnd + 16;

/** Encrypts secrets for storage that must be read again: signing secrets, operator credentials. */
export interface SecretBox {
  /** @param context where the box is stored (table and id, say): it opens nowhere else. */
  encrypt(plain: string, context: string): Buffer;
  /** @throws Error if the key or the context differs, or the box was changed. */
  decrypt(box: Buffer, context: string): string;
  /** The first bytes of boxes under the current key; those under the previous key begin differently. */
  readonly header: Buffer;
}

/**
 * AES-256-GCM. A box is a version byte, 4 bytes that name the key (so that a rotation can tell the keys apart), 12
 * bytes of nonce, 16 of tag, then the ciphertext.
 * @param previous also decrypts boxes, during a rotation; nothing is encrypted with it.
 */
export function createSecretBox(key: Buffer, previous?: Buffer): SecretBox {
  const current = boxOf(key);
  if (!previous) return current;
  const former = boxOf(previous);
  return {
    ...current,
    decrypt: (box, context) => (isUnder(box, former) ? former : current).decrypt(box, context),
  };
}

/** Whether a box was encrypted with the current key. */
export function isUnder(box: Buffer, { header }: SecretBox): boolean {
  return box.subarray(0, keyIdEnd).equals(header);
}

function boxOf(key: Buffer): SecretBox {
  if (key.length !== keyLength) throw new Error(`The secret key must have ${keyLength} bytes.`);
  const keyId = secretKeyId(key);
  const header = Buffer.concat([Buffer.of(version), keyId]);
  const authenticated = (context: string) => Buffer.concat([header, Buffer.from(context)]);
  return {
    header,
    encrypt(plain, context) {
      const iv = randomBytes(ivEnd - keyIdEnd);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(authenticated(context));
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([header, iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(box, context) {
      if (box.length < tagEnd || box[0] !== version)
        throw new Error('The stored secret has an unknown format.');
      if (!box.subarray(1, keyIdEnd).equals(keyId))
        throw new Error('The stored secret was encrypted with another key: configure that key.');
      const decipher = createDecipheriv(algorithm, key, box.subarray(keyIdEnd, ivEnd))
        .setAAD(authenticated(context))
        .setAuthTag(box.subarray(ivEnd, tagEnd));
      const start = decipher.update(box.subarray(tagEnd));
      try {
        return Buffer.concat([start, decipher.final()]).toString('utf8');
      } catch {
        throw new Error('The stored secret was changed, or it belongs to another record.');
      }
    },
  };
}

/** Names a key without revealing it. */
export function secretKeyId(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 4);
}

/**
 * Parses a key in a setting: 64 hex characters, or the base64 of 32 bytes; undefined if it is neither, or all zero
 * like a placeholder.
 */
export function parseSecretKey(text: string): Buffer | undefined {
  const key = keyBytes(text.trim());
  return key?.some((byte) => byte !== 0) ? key : undefined;
}

function keyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return undefined;
}
