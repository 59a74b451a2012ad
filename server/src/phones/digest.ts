import { createHmac } from 'node:crypto';
import type { DigestKey } from '../platform/digest-key.ts';

/** Names a phone without telling it, always the same in one database. */
export interface PhoneDigests {
  /** Undefined where neither secret key opens the key of digests. */
  of(phone: string): Promise<Buffer | undefined>;
}

/** Digests are keyed, or all phones of a country could be tried in a second. */
export function createPhoneDigests(key: DigestKey): PhoneDigests {
  return {
    async of(phone) {
      const opened = await key.open();
      return opened && createHmac('sha256', opened).update(phone).digest();
    },
  };
}
