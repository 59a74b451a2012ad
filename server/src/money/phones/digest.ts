import { createHmac } from 'node:crypto';
import type { DigestKey } from '../../platform/secrets/digest-key.ts';

/** Names a phone without telling it, always the same in one database. */
export interface PhoneDigests {
  /** Undefined if neither secret key opens the key of digests. */
  of(phone: string): Promise<Buffer | undefined>;
}

/** Digests are keyed, or all phones of a country could be tried in a second. */
export function createPhoneDigests(key: DigestKey): PhoneDigests {
  return {
    async of(phone) {
      const opened = await key.open();
      return opened && createHmac('sha256', opened).update(withoutTrunkZero(phone)).digest();
    },
  };
}

/**
 * +238 0 991 23 45 rings where +238 991 23 45 does. It is taken as it was given, since operators say what they
 * know, but it is no second phone. Other countries have numbers that begin with 0.
 */
const withoutTrunkZero = (phone: string): string => phone.replace(/^\+(238|244)0+/, '+$1');
