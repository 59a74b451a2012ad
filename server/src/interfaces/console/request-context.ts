import type { MerchantTerms } from '../../platform/values/merchant-terms.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { TimeZones } from '../../tenants/merchants/time-zone.ts';
import type { HeldRole, Permission } from '../../tenants/people/permissions.ts';
import type { Membership } from '../../tenants/people/person.ts';
import type { StaffPermission, StaffRole } from '../../tenants/people/staff-permissions.ts';
import type { ConsoleServices } from './services.ts';
import type { CommonWords, Language } from './words/common.ts';

/** A visitor: a person with a valid session. */
export interface SignedIn {
  /** People who joined by a QR code have no e-mail. */
  person: { id: string; name: string; email: string | null };
  sessionId: string;
  /** Whether the person has reauthenticated within the last minutes. */
  isFresh: boolean;
  memberships: readonly Membership[];
  /** Null for people who are not staff. */
  staffRole: StaffRole | null;
  /** Whether the session began by a PIN on a shared phone: it opens the till and nothing else. */
  isAtTill: boolean;
  /** Whether this browser was enrolled as a till; it may have been revoked. */
  isOnTill: boolean;
  /** The person's identity at the single sign-on provider, if that vouches for the session. */
  sso: { issuer: string; subject: string } | undefined;
  /** The CSRF token in every form of this session. */
  csrfToken: string;
}

/** The query parameters: a name may occur several times; empty values are omitted. */
export type AddressQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A signed-in person's request for a page, with its words. */
export interface RequestContext extends SignedIn {
  language: Language;
  words: CommonWords;
  /** The time zone of days and times on pages, at present. */
  timeZone: string;
  /** The same for earlier and later instants. */
  timeZones: TimeZones;
  nowMs: number;
  /** The number of unread notices here, up to 100. */
  unread: number;
  /** The requested address, from the console's folder on: `/console/me_…/test/payments?status=FAILED`. */
  path: string;
  /** The page below the address of the merchant, or of the staff: `payments/pi_…`. */
  page: string;
  /** The parameters of the path, for example `id`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The input of this page's form from before a reauthentication. */
  kept?: SentForm | undefined;
  /** The address of a page of the same merchant and mode, or of the staff: `to('payments', { status: 'FAILED' })`. */
  to(page: string, query?: AddressQuery): string;
  /** Another address of the console: `address('/console/account')`. */
  address(path: string): string;
  /** The author and origin of a change, for the audit log. */
  author: { actor: string; origin: string };
  services: ConsoleServices;
}

/** A request for a merchant's page. */
export interface MerchantContext extends RequestContext {
  merchant: { id: string; name: string };
  /** The person's role here; {@link can} decides what it allows. */
  held: HeldRole;
  mode: 'live' | 'test';
  tenantId: string;
  /** The merchant's currency, which comes first; null if it has none yet. */
  ownCurrency: Currency | null;
  /** The merchant's terms. */
  terms: MerchantTerms;
  /** Whether the role allows this. */
  can(permission: Permission): boolean;
  /** The same page in the other mode. */
  modeAddress(mode: 'live' | 'test'): string;
}

/** A staff request. Staff act for real: they have no test mode. */
export interface StaffContext extends RequestContext {
  staffRole: StaffRole;
  /** Whether the role allows this. */
  can(permission: StaffPermission): boolean;
}

/** A submitted form. */
export interface SentForm {
  /** The trimmed text of a field; empty if the field is missing. */
  text(name: string): string;
  all(name: string): string[];
  /** The bytes of a file; undefined if none was chosen. */
  file(name: string): Promise<Buffer | undefined>;
  /** The uploaded file, stored until the action ends; undefined if none was chosen. */
  upload?: UploadedFile | 'TOO_LARGE' | undefined;
}

export interface UploadedFile {
  path: string;
  /** The name that the browser gives. */
  name: string;
}
