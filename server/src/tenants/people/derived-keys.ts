import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { bytesOfUuid } from '../../platform/values/ids.ts';

/** Signatures and digests for people, all derived from the secret key. */
export interface PeopleKeys {
  /** Replaces a typed e-mail without revealing it. */
  digest(...parts: string[]): Buffer;
  /** Makes a challenge for a passkey, for one purpose and, if given, one person. */
  newChallenge(purpose: ChallengePurpose, personId: string | undefined, nowMs: number): Buffer;
  /** When a challenge expires; undefined if it has another purpose or has expired. */
  expiryOf(
    challenge: Buffer,
    purpose: ChallengePurpose,
    personId: string | undefined,
    nowMs: number,
  ): number | undefined;
}

export type ChallengePurpose = 'REGISTER' | 'SIGN_IN' | 'REAUTHENTICATE';

const challengeMs = 5 * 60_000;
const nonceBytes = 16;
const expiryEnd = nonceBytes + 6;
const macBytes = 16;

/** Replacing the secret key invalidates only challenges in progress and known devices. */
export function createPeopleKeys(secretKey: Buffer): PeopleKeys {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo people', 32));
  // Length prefixes: no two lists of parts give the same bytes.
  const macOf = (parts: readonly Buffer[]) => {
    const mac = createHmac('sha256', key);
    for (const part of parts) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      mac.update(length).update(part);
    }
    return mac.digest();
  };
  const challengeMac = (head: Buffer, purpose: ChallengePurpose, personId: string | undefined) => {
    const who = personId === undefined ? Buffer.alloc(0) : bytesOfUuid(personId);
    return macOf([Buffer.from(purpose), who, head]).subarray(0, macBytes);
  };
  return {
    digest: (...parts) => macOf(['digest', ...parts].map((part) => Buffer.from(part))),
    newChallenge(purpose, personId, nowMs) {
      const head = Buffer.concat([randomBytes(nonceBytes), Buffer.alloc(expiryEnd - nonceBytes)]);
      head.writeUIntBE(nowMs + challengeMs, nonceBytes, expiryEnd - nonceBytes);
      return Buffer.concat([head, challengeMac(head, purpose, personId)]);
    },
    expiryOf(challenge, purpose, personId, nowMs) {
      if (challenge.length !== expiryEnd + macBytes) return undefined;
      const head = challenge.subarray(0, expiryEnd);
      const mac = challengeMac(head, purpose, personId);
      if (!timingSafeEqual(mac, challenge.subarray(expiryEnd))) return undefined;
      const expiresAtMs = head.readUIntBE(nonceBytes, expiryEnd - nonceBytes);
      return expiresAtMs > nowMs ? expiresAtMs : undefined;
    },
  };
}
