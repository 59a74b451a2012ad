import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { type LinkedKey, secretUnder } from './link-secrets.ts';

/**
 * Proves to the payment page that this browser made an attempt, without a cookie: the redirect address carries the
 * proof. A browser with the proof sees the number that was typed; any other holder of the link sees only the outcome.
 */
export interface AttemptProofs {
  of(attempt: LinkedKey): string;
  isOf(attempt: LinkedKey, proof: string): boolean;
}

const shape = /^[\w-]{22}$/;

export function createAttemptProofs(secretKey: Buffer): AttemptProofs {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'zimbo proofs of attempts', 32));
  return {
    of: (attempt) => secretUnder(key, attempt).toString('base64url'),
    isOf: (attempt, proof) =>
      shape.test(proof) &&
      timingSafeEqual(secretUnder(key, attempt), Buffer.from(proof, 'base64url')),
  };
}
