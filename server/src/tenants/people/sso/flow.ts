import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { Checks } from './provider.ts';

/** The purpose of a round trip to the provider. */
export type Purpose =
  | { kind: 'SIGN_IN' }
  /** Accept an invitation. */
  | { kind: 'INVITATION'; token: string }
  /** Connect an account with an identity. */
  | { kind: 'LINK'; sessionId: string }
  /** Confirm the identity of a session's person. */
  | { kind: 'PROVE'; sessionId: string };

/** One round trip to the provider. The browser that began it keeps it, encrypted, in a cookie. */
export interface Flow extends Checks {
  purpose: Purpose;
  /** The page of the console to open afterwards. */
  next: string | undefined;
  expiresAtMs: number;
}

export const flowMs = 10 * 60_000;
/** Longer values would make the cookie too large for browsers. */
const longestNext = 1_000;
const context = 'console/single sign-on';

/** The standard's minimum for the verifier, which is the longest of the three: 43 characters. */
const random = () => randomBytes(32).toString('base64url');

export function newFlow(purpose: Purpose, next: string | undefined, nowMs: number): Flow {
  return {
    purpose,
    next: next !== undefined && next.length <= longestNext ? next : undefined,
    state: random(),
    nonce: random(),
    verifier: random(),
    expiresAtMs: nowMs + flowMs,
  };
}

export const sealFlow = (secrets: SecretBox, flow: Flow): string =>
  secrets.encrypt(JSON.stringify(flow), context).toString('base64url');

/** Undefined if we did not seal it, or it has expired. */
export function openFlow(
  secrets: SecretBox,
  sealed: string | undefined,
  nowMs: number,
): Flow | undefined {
  if (sealed === undefined) return undefined;
  try {
    const flow = JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64url'), context)) as Flow;
    return flow.expiresAtMs > nowMs ? flow : undefined;
  } catch {
    return undefined;
  }
}
