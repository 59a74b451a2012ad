import { requestHash } from './canonical-json.ts';

/** A request under an idempotency key, as it is compared with the one that used the key first. */
export interface IdempotentRequest {
  key: string;
  /** What it means, to be stored with what it creates. */
  requestHash: Buffer;
  /** The body as it was sent: what used its key under the first version is compared by that. */
  asSent: unknown;
}

/**
 * The version of a hash is its first byte. One of the first version has none: it is the 32 bytes of the
 * SHA-256 of the body as it was sent.
 */
const version = Buffer.of(2);
const firstVersionLength = 32;

/**
 * @param meaning what the request asks for: with defaults filled in, and what can be written in several
 * ways written in one; null says the same as a field that is left out
 */
export function idempotentRequest(
  key: string | undefined,
  asSent: unknown,
  meaning: () => object,
): IdempotentRequest | null {
  if (key === undefined) return null;
  const hash = requestHash(withoutNulls(meaning()));
  return { key, requestHash: Buffer.concat([version, hash]), asSent };
}

/** Whether a request is the one whose hash was stored. */
export function isSameRequest(
  stored: Buffer | null | undefined,
  request: Pick<IdempotentRequest, 'requestHash' | 'asSent'>,
): boolean {
  if (!stored) return false;
  const own =
    stored.length === firstVersionLength ? requestHash(request.asSent) : request.requestHash;
  return stored.equals(own);
}

/** The fields that say something; a null within metadata is the merchant's own and stays. */
export function withoutNulls(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
