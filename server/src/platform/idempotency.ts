import { canonicalJson } from './canonical-json.ts';

/** A request under an idempotency key, as it is compared with the one that used the key first. */
export interface IdempotentRequest {
  key: string;
  /** What it means, as canonical JSON: the same for two requests that ask for the same. */
  meaning: string;
  /** The body as it was sent: what used its key under the first version is compared by that. */
  asSent: unknown;
}

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
  return { key, meaning: canonicalJson(withoutNulls(meaning())), asSent };
}

/** The fields that say something; a null within metadata is the merchant's own and stays. */
export function withoutNulls(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
