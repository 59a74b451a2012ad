import { createHmac } from 'node:crypto';
import type { DigestKey } from '../../platform/secrets/digest-key.ts';

/** Identifies a phone without revealing it, and always the same in one database. */
export interface PhoneDigests {
  /** Undefined if neither secret key can decrypt the digest key. */
  of(phone: string): Promise<Buffer | undefined>;
}

/** Digests are keyed; otherwise an attacker could try all phones of a country within a second. */
export function createPhoneDigests(key: DigestKey): PhoneDigests {
  return {
    async of(phone) {
      const opened = await key.open();
      return opened && createHmac('sha256', opened).update(withoutTrunkZero(phone)).digest();
    },
  };
}

/**
 * +238 0 991 23 45 reaches the same phone as +238 991 23 45. The number is stored as given, since operators know
 * their numbers best, but it does not count as a second phone. Other countries have numbers that begin with 0.
 */
const withoutTrunkZero = (phone: string): string => phone.replace(/^\+(238|244)0+/, '+$1');
