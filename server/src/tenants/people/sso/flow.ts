import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { Checks } from './provider.ts';

/** The purpose of sending a browser to the provider. */
export type Purpose =
  | { kind: 'SIGN_IN' }
  /** To accept an invitation. */
  | { kind: 'INVITATION'; token: string }
  /** To connect an account with an identity. */
  | { kind: 'LINK'; sessionId: string }
  /** To prove who has this session. */
  | { kind: 'PROVE'; sessionId: string };

/** Of one way to the provider and back. The browser that began it keeps it, encrypted, in a cookie. */
export interface Flow extends Checks {
  purpose: Purpose;
  /** The page of the console to go on to. */
  next: string | undefined;
  expiresAtMs: number;
}

export const flowMs = 10 * 60_000;
/** With longer ones the cookie would be too large for browsers. */
const longestNext = 1_000;
const context = 'console/single sign-on';

/** As long as the standard wants the verifier at least, which is the longest of the three: 43 characters. */
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

/** Undefined for what we have not sealed, or what has expired. */
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
