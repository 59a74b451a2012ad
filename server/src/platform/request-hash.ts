import { createHmac, hkdfSync } from 'node:crypto';
import { requestHash } from './canonical-json.ts';
import { type IdempotentRequest, isSameRequest } from './idempotency.ts';
import type { SecretKeys } from './secret-keys.ts';
import { secretKeyId } from './secrets.ts';

/**
 * The hash of a request tells whether an idempotency key comes back with the same request. Once the phone of
 * the request has been erased, whoever knows the rest could try all phones until the hash agrees. So the hash
 * is sealed then: it is digested once more, with a key that only the gateway has.
 */
export interface RequestHashes {
  /** Done to what is sealed already, it changes nothing. */
  seal(hash: Buffer): Buffer;
  isSame(stored: Buffer | null, request: IdempotentRequest): boolean;
  /** An idempotency key that names a phone, as it stands once the phone has been erased. */
  sealKey(key: string): string;
  /** How a key may stand that is not there as it was given; none where it can name no phone. */
  sealedKeys(key: string): string[];
}

/** No version of a plain hash begins so. */
const mark = Buffer.of(255);
const sealedLength = mark.length + 4 + 32;

/** Where nothing is erased, no hash is sealed. */
export const plainHashes: RequestHashes = {
  seal: (hash) => hash,
  isSame: isSameRequest,
  sealKey: (key) => key,
  sealedKeys: () => [],
};

/** As many digits as a phone has; most keys are UUIDs, which name nobody. */
const mayNamePhone = (key: string) =>
  /(\d[^A-Za-z0-9]{0,4}){8}/.test(key) && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key);

/** A sealed hash is the mark, 4 bytes that name the secret key, and the digest. */
export function createRequestHashes({ current, previous }: SecretKeys): RequestHashes {
  const seal = sealerOf(current);
  const seals = previous ? [seal, sealerOf(previous)] : [seal];
  return {
    seal: (hash) => (isSealed(hash) ? hash : seal(hash)),
    isSame(stored, request) {
      if (!stored || !isSealed(stored)) return isSameRequest(stored, request);
      // Which version of the hash was sealed does not show.
      const hashes = [request.requestHash, requestHash(request.asSent)];
      return seals.some((each) => hashes.some((hash) => each(hash).equals(stored)));
    },
    sealKey: (key) => keyOf(seal, key),
    sealedKeys: (key) => (mayNamePhone(key) ? seals.map((each) => keyOf(each, key)) : []),
  };
}

const keyOf = (seal: (hash: Buffer) => Buffer, key: string) =>
  `sealed ${seal(Buffer.from(key)).toString('base64url')}`;

const isSealed = (hash: Buffer) => hash.length === sealedLength && hash[0] === mark[0];

function sealerOf(secretKey: Buffer): (hash: Buffer) => Buffer {
  const header = Buffer.concat([mark, secretKeyId(secretKey)]);
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo request hashes', 32));
  return (hash) => Buffer.concat([header, createHmac('sha256', key).update(hash).digest()]);
}
