import type { GuardedAct } from '../four-eyes.ts';
import type { AccountDetails } from '../merchants/bank-account.ts';
import type { Permission } from '../people/permissions.ts';
import type { StaffPermission } from '../people/staff-permissions.ts';
import type { Transitions } from '../transitions.ts';

export type ApprovalStatus =
  | 'PENDING'
  | 'APPROVED'
  | 'DONE'
  | 'FAILED'
  | 'REJECTED'
  | 'CANCELLED'
  | 'EXPIRED';

/** What a request may become (docs/approvals.md). */
export const approvalTransitions: Transitions<ApprovalStatus> = {
  PENDING: ['APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['DONE', 'FAILED'],
  DONE: [],
  FAILED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** What is asked for, as each kind freezes it. Amounts are texts, in minor units. */
export interface Requests {
  REFUND: { amountMinor: string; currency: string; reason: string | null };
  SETTLEMENT_COMPLETE: { netMinor: string; currency: string; payoutRef: string | null };
  SETTLEMENT_FAIL: { netMinor: string; currency: string; payoutRef: string | null };
  /** What the operator told, as `zimbo review resolve` takes it. */
  REVIEW_RESOLVE: { finding: Record<string, string> };
  LIVE_KEY: {
    label: string | null;
    permissions: string[];
    expiresAt: string | null;
    allowedAddresses: string[];
    maxPaymentMinor: string | null;
    maxRefundedPerDayMinor: string | null;
  };
  /** Whole, for whoever approves compares it; the audit log gets it masked. */
  BANK_ACCOUNT: AccountDetails;
}

export type ApprovalKind = keyof Requests;

interface KindRules {
  /** Who may ask, and who may decide: members of the merchant, or staff. */
  who:
    | { of: 'MERCHANT'; asks: Permission; decides: Permission }
    | { of: 'STAFF'; may: StaffPermission };
  /** What the setting FOUR_EYES calls it; a refund has a limit instead. */
  act: GuardedAct | undefined;
}

/** The one table of kinds. */
export const approvalKinds: Record<ApprovalKind, KindRules> = {
  REFUND: {
    who: { of: 'MERCHANT', asks: 'refunds.create', decides: 'refunds.approve' },
    act: undefined,
  },
  SETTLEMENT_COMPLETE: { who: { of: 'STAFF', may: 'settlements.decide' }, act: 'settlements' },
  SETTLEMENT_FAIL: { who: { of: 'STAFF', may: 'settlements.decide' }, act: 'settlements' },
  REVIEW_RESOLVE: { who: { of: 'STAFF', may: 'reviews.resolve' }, act: 'reviews' },
  LIVE_KEY: {
    who: { of: 'MERCHANT', asks: 'keys.write', decides: 'keys.write' },
    act: 'live-keys',
  },
  BANK_ACCOUNT: { who: { of: 'STAFF', may: 'bank_accounts.write' }, act: 'bank-accounts' },
};

/** Why an approved request was not carried out; the codes of DomainErrors are among them. */
export type Failure = 'CHANGED' | 'NOT_COLLECTED' | (string & {});

/** What one person asked for, and what became of it. */
export interface Approval<Kind extends ApprovalKind = ApprovalKind> {
  tenantId: string;
  id: string;
  kind: Kind;
  status: ApprovalStatus;
  subjectId: string;
  /** What of the subject must not change before the approval. */
  subjectState: string;
  /** Canonical JSON of {@link Requests}: it is never changed. */
  request: string;
  askedBy: string;
  askedAtMs: number;
  expiresAtMs: number;
  decidedBy: string | null;
  decidedAtMs: number | null;
  dueAtMs: number | null;
  endedAtMs: number | null;
  resultId: string | null;
  failure: Failure | null;
}

/** Who asks or decides, by all that tells one human from another. */
export interface Asker {
  personId: string;
  /** Issuer and subject of the single sign-on that the session came from. */
  identity: string | null;
  /** From where, for the audit log. */
  origin: string;
}

export const requestOf = <Kind extends ApprovalKind>({ request }: Approval<Kind>) =>
  JSON.parse(request) as Requests[Kind];

export const isOfKind = <Kind extends ApprovalKind>(
  approval: Approval,
  ...kinds: Kind[]
): approval is Approval<Kind> => kinds.some((kind) => kind === approval.kind);

export const approvalTimes = { openMs: 72 * 3_600_000, leaseMs: 60_000 };
