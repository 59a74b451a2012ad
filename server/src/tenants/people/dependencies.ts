import type { Logger } from 'pino';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { PeopleKeys } from './derived-keys.ts';
import type { PasswordHasher } from './password.ts';
import type { Provider } from './sso/provider.ts';
import type { Pauses } from './throttle.ts';

/** The dependencies of use cases for people. */
export interface PeopleDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, 'error'>;
  secrets: SecretBox;
  peopleKeys: PeopleKeys;
  passwords: PasswordHasher;
  /** The console's origin: `https://pay.example.cv`, without a path. */
  consoleUrl: string;
  /** The single sign-on provider; undefined without one. */
  provider?: Provider | undefined;
  /** Limits tries for accounts under attack. */
  pauses: Pauses;
  /** How often an address may try to sign in. */
  signInLimit: AddressLimit;
}

interface TokenResult {
  allowed: boolean;
  retryInMs: number;
}

export interface AddressLimit {
  take(address: string | undefined, nowMs: number): TokenResult | Promise<TokenResult>;
  giveBack(address: string | undefined, nowMs: number): void;
}

/** The result of checking a password or passkey. */
export type SignInResult =
  | {
      kind: 'SIGNED_IN';
      token: string;
      sessionId: string;
      personId: string;
      /** For a lasting cookie: on this device, strangers' tries do not delay the person. */
      device: string;
    }
  /** Does not reveal which part was wrong. */
  | { kind: 'WRONG' }
  | TooMany;

export type TooMany = { kind: 'TOO_MANY'; retryInMs: number };
