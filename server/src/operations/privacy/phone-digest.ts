import { createHmac, hkdfSync } from 'node:crypto';
import { secretKeyId } from '../../platform/secrets/secret-box.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';

/** Without the secret key, a digest reveals only whether two phones are the same. */
export interface PhoneDigest {
  keyId: Buffer;
  digest: Buffer;
}

/** The digest under the current key first, then the one under the previous key. */
export type DigestPhone = (phone: string) => PhoneDigest[];

export function makeDigestPhone({ current, previous }: SecretKeys): DigestPhone {
  const digesters = [current, ...(previous ? [previous] : [])].map((secretKey) => {
    const keyId = secretKeyId(secretKey);
    const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo erased phones', 32));
    return (phone: string) => ({ keyId, digest: createHmac('sha256', key).update(phone).digest() });
  });
  return (phone) => digesters.map((digest) => digest(phone));
}
