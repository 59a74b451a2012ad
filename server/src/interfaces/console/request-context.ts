import type { MerchantTerms } from '../../platform/values/merchant-terms.ts';
import type { Permission, Role } from '../../tenants/people/permissions.ts';
import type { Membership } from '../../tenants/people/person.ts';
import type { StaffPermission, StaffRole } from '../../tenants/people/staff-permissions.ts';
import type { ConsoleServices } from './services.ts';
import type { CommonWords, Language } from './words/common.ts';

/** Who looks: a person with a session that holds. */
export interface SignedIn {
  person: { id: string; name: string; email: string };
  sessionId: string;
  /** Whether the person has proved within some minutes who they are. */
  isFresh: boolean;
  memberships: readonly Membership[];
  /** Null for those who are no staff of the gateway. */
  staffRole: StaffRole | null;
  /** Who the person is at the provider of single sign-on, where that vouches for the session. */
  sso: { issuer: string; subject: string } | undefined;
  /** Stands in every form of this session. */
  csrfToken: string;
}

/** What follows the `?`: a name may come several times; what is empty is left out. */
export type AddressQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request for a page of somebody who is signed in: who asks, and in which words. */
export interface RequestContext extends SignedIn {
  language: Language;
  words: CommonWords;
  /** For days and times on pages. */
  timeZone: string;
  nowMs: number;
  /** How many notices the person has not read here, up to 100. */
  unread: number;
  /** The address that was asked for, from the console's folder on: `/console/me_…/test/payments?status=FAILED`. */
  path: string;
  /** The page below the address of the merchant, or of the staff: `payments/pi_…`. */
  page: string;
  /** What the path names, for example `id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** What was typed into the form of this page before its sender had to prove who they are. */
  kept?: SentForm | undefined;
  /** The address of a page of the same merchant and mode, or of the staff: `to('payments', { status: 'FAILED' })`. */
  to(page: string, query?: AddressQuery): string;
  /** An address of the console outside of these: `address('/console/account')`. */
  address(path: string): string;
  /** Who changes something, and from where: for the audit log. */
  author: { actor: string; origin: string };
  services: ConsoleServices;
}

/** A request for a page of a merchant. */
export interface MerchantContext extends RequestContext {
  merchant: { id: string; name: string };
  role: Role;
  mode: 'live' | 'test';
  tenantId: string;
  /** What is agreed with the merchant. */
  terms: MerchantTerms;
  /** Whether the role allows it. */
  can(permission: Permission): boolean;
  /** The same page in the other mode. */
  modeAddress(mode: 'live' | 'test'): string;
}

/** A request of the gateway's staff. What they do is for real: they have no test mode. */
export interface StaffContext extends RequestContext {
  staffRole: StaffRole;
  /** Whether the role allows it. */
  can(permission: StaffPermission): boolean;
}

/** A form that was sent to a page. */
export interface SentForm {
  /** The text of a field, trimmed; empty where it is not there. */
  text(name: string): string;
  all(name: string): string[];
  /** The bytes of a file; undefined where none was chosen. */
  file(name: string): Promise<Buffer | undefined>;
  /** The file of a page that takes uploads; it lies there while the form is worked on. Undefined where none was chosen. */
  upload?: UploadedFile | 'TOO_LARGE' | undefined;
}

export interface UploadedFile {
  path: string;
  /** As the browser calls it. */
  name: string;
}
