import type { SignOnSetting } from '../../../platform/config/sign-on-variables.ts';
import type { Clock } from '../../../platform/process/clock.ts';

/** The tolerated difference between the clocks of provider and gateway. */
export const toleranceSeconds = 30;

/** The token to ask the provider whether a person is still active. */
export interface Ticket {
  kind: 'REFRESH' | 'ACCESS';
  token: string;
}

/** A person that the provider vouches for. */
export interface Proven {
  issuer: string;
  subject: string;
  /** Its session's id at the provider. */
  sid: string | null;
  authenticatedAtMs: number | null;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  ticket: Ticket;
}

export type Answer =
  | { kind: 'STANDS'; ticket: Ticket }
  /** The person was removed or signed out at the provider. */
  | { kind: 'REFUSED' }
  | { kind: 'UNREACHABLE'; error: unknown };

/** Binds an answer to the browser that began the round trip. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface LogoutOrder {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** The id of this order. */
  id: string;
  expiresAtMs: number;
}

/** A provider of OpenID Connect. The first request to it happens when somebody wants to sign in. */
export interface Provider {
  label: string;
  issuer: string;
  /** The URL for the browser. @throws ProviderDown */
  address(checks: Checks & { redirectUri: string; isProof: boolean }): Promise<string>;
  /** Processes a browser's return. @throws ProviderDown; any other error is a refusal */
  finish(url: URL, checks: Checks, wantsProfile: boolean): Promise<Proven>;
  /** Whether the person is still active there. It never throws. */
  ask(ticket: Ticket, subject: string): Promise<Answer>;
  /** Undefined unless it is a signed order to end sessions. @throws ProviderDown */
  readLogout(token: string): Promise<LogoutOrder | undefined>;
}

/** Loads the libraries, 48 modules, when somebody first signs in. */
export function createProvider(setting: SignOnSetting, clock: Clock): Provider {
  const load = async () => (await import('./oidc-provider.ts')).createOidcProvider(setting, clock);
  let loaded: ReturnType<typeof load> | undefined;
  const provider = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    label: setting.label,
    issuer: setting.issuer,
    address: async (...given) => (await provider()).address(...given),
    finish: async (...given) => (await provider()).finish(...given),
    ask: async (...given) => (await provider()).ask(...given),
    readLogout: async (...given) => (await provider()).readLogout(...given),
  };
}
