import type { SignOnSetting } from '../../../platform/config/sign-on-variables.ts';
import type { Clock } from '../../../platform/process/clock.ts';

/** How far the clocks of provider and gateway may be apart. */
export const toleranceSeconds = 30;

/** With what the provider can be asked whether somebody is still there. */
export interface Ticket {
  kind: 'REFRESH' | 'ACCESS';
  token: string;
}

/** Whom the provider vouches for. */
export interface Proven {
  issuer: string;
  subject: string;
  /** Its session there. */
  sid: string | null;
  authenticatedAtMs: number | null;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  ticket: Ticket;
}

export type Answer =
  | { kind: 'STANDS'; ticket: Ticket }
  /** The person is not there any more, or has been signed out. */
  | { kind: 'REFUSED' }
  | { kind: 'UNREACHABLE'; error: unknown };

/** What binds an answer to the browser that asked. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface LogoutOrder {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** Of this order alone. */
  id: string;
  expiresAtMs: number;
}

/** A provider of OpenID Connect. It is not asked for anything before somebody wants to sign in. */
export interface Provider {
  label: string;
  issuer: string;
  /** Where a browser goes to. @throws ProviderDown */
  address(checks: Checks & { redirectUri: string; isProof: boolean }): Promise<string>;
  /** Takes what a browser came back with. @throws ProviderDown; any other error is a refusal */
  finish(url: URL, checks: Checks, wantsProfile: boolean): Promise<Proven>;
  /** Whether somebody is still there. It never throws. */
  ask(ticket: Ticket, subject: string): Promise<Answer>;
  /** Undefined for what is no order to end sessions. @throws ProviderDown */
  readLogout(token: string): Promise<LogoutOrder | undefined>;
}

/** Its libraries, 48 modules, are loaded when somebody first signs in with it. */
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
