import type { Permission, Role } from '../people/permissions.ts';
import type { Membership } from '../people/person.ts';
import type { ConsoleServices } from './services.ts';
import type { CommonWords, Language } from './words/common.ts';

/** Who looks: a person with a session that holds. */
export interface SignedIn {
  person: { id: string; name: string; email: string };
  sessionId: string;
  /** Whether the person has proved within some minutes who they are. */
  isFresh: boolean;
  memberships: readonly Membership[];
  /** Who the person is at the provider of single sign-on, where that vouches for the session. */
  sso: { issuer: string; subject: string } | undefined;
  /** Stands in every form of this session. */
  csrfToken: string;
}

/** What follows the `?`: a name may come several times; what is empty is left out. */
export type AddressQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request for a page of a merchant: who asks, as what, and in which words. */
export interface Visit extends SignedIn {
  merchant: { id: string; name: string };
  role: Role;
  mode: 'live' | 'test';
  tenantId: string;
  language: Language;
  words: CommonWords;
  /** For days and times on pages. */
  timeZone: string;
  nowMs: number;
  /** The address that was asked for, from the console's folder on: `/console/me_…/test/payments?status=FAILED`. */
  path: string;
  /** The page below the merchant's address: `payments/pi_…`. */
  page: string;
  /** What the path names, for example `id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** What was typed into the form of this page before its sender had to prove who they are. */
  kept?: SentForm | undefined;
  /** Whether the role allows it. */
  can(permission: Permission): boolean;
  /** The address of a page of this merchant and mode: `to('payments', { status: 'FAILED' })`. */
  to(page: string, query?: AddressQuery): string;
  /** An address of the console outside of this merchant: `address('/console/account')`. */
  address(path: string): string;
  /** The same page in the other mode. */
  modeAddress(mode: 'live' | 'test'): string;
  /** Who changes something, and from where: for the audit log. */
  author: { actor: string; origin: string };
  services: ConsoleServices;
}

/** A form that was sent to a page. */
export interface SentForm {
  /** The text of a field, trimmed; empty where it is not there. */
  text(name: string): string;
  all(name: string): string[];
}
