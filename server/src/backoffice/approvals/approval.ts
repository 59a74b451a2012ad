import { withoutPhones } from '../../platform/audit/mask.ts';
import type { OperatorName } from '../../platform/config/operator-catalogue.ts';
import type { GuardedAct } from '../../platform/values/four-eyes.ts';
import type { Currency } from '../../platform/values/money.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import type { Transitions } from '../../platform/values/transitions.ts';
import { type AccountDetails, maskedAccount } from '../../tenants/merchants/bank-account.ts';
import type { Permission } from '../../tenants/people/permissions.ts';
import type { StaffPermission } from '../../tenants/people/staff-permissions.ts';

export type ApprovalStatus =
  | 'PENDING'
  | 'APPROVED'
  | 'DONE'
  | 'FAILED'
  | 'REJECTED'
  | 'CANCELLED'
  | 'EXPIRED';

/** The allowed transitions of a request (docs/approvals.md). */
export const approvalTransitions: Transitions<ApprovalStatus> = {
  PENDING: ['APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['DONE', 'FAILED'],
  DONE: [],
  FAILED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** The requested action, as each kind freezes it. Amounts are texts, in minor units. */
export interface Requests {
  REFUND: { amountMinor: string; currency: string; reason: string | null };
  SETTLEMENT_COMPLETE: { netMinor: string; currency: string; payoutRef: string | null };
  SETTLEMENT_FAIL: { netMinor: string; currency: string; payoutRef: string | null };
  /** The operator's answer; `about` names the item, payment, refund or reversal as people do. */
  REVIEW_RESOLVE: {
    about: string;
    finding: Record<string, string>;
    /** The currency of its amounts. */
    currency: string | null;
    note: string | null;
  };
  REVIEW_CLOSE: { about: string; reason: string };
  LIVE_KEY: {
    label: string | null;
    permissions: string[];
    expiresAt: string | null;
    allowedAddresses: string[];
    maxPaymentMinor: string | null;
    maxRefundedPerDayMinor: string | null;
    /** Missing in requests from before disbursements. */
    maxDisbursementMinor?: string | null;
    maxDisbursedPerDayMinor?: string | null;
  };
  /** Phone and texts are whole while the request is open, since the approver compares them, and gone with its end. */
  DISBURSEMENT: {
    amountMinor: string;
    currency: Currency;
    operator: OperatorName;
    operatorPhone: string | null;
    externalId: string | null;
    description: string | null;
  };
  /** Rows and description are whole while the request is open, and gone with its end. */
  DISBURSEMENT_BATCH: {
    description: string | null;
    itemCount: number;
    totals: { currency: Currency; amount: string; feeAmount: string }[];
    rows: (Requests['DISBURSEMENT'] & { operatorPhone: string })[] | null;
  };
  /** Unmasked, since the approver compares it; the audit log gets it masked. */
  BANK_ACCOUNT: AccountDetails;
  /** The reference as the bank's statement has it, since the approver compares it. */
  TOP_UP: { amountMinor: string; currency: Currency; bankReference: string };
}

export type ApprovalKind = keyof Requests;

interface KindRules {
  /** Who may request and decide: members of the merchant, or staff. */
  who:
    | { of: 'MERCHANT'; asks: Permission; decides: Permission }
    | { of: 'STAFF'; sees: StaffPermission; may: StaffPermission };
  /** Its name in the setting FOUR_EYES; a refund or disbursement has a limit instead. */
  act: GuardedAct | undefined;
}

const settlements = { of: 'STAFF', sees: 'settlements.read', may: 'settlements.decide' } as const;
const bankAccounts = {
  of: 'STAFF',
  sees: 'bank_accounts.read',
  may: 'bank_accounts.write',
} as const;
const disbursements = {
  of: 'MERCHANT',
  asks: 'disbursements.create',
  decides: 'disbursements.approve',
} as const;
const reviews = { of: 'STAFF', sees: 'reviews.read', may: 'reviews.resolve' } as const;

/** The one table of kinds. */
export const approvalKinds: Record<ApprovalKind, KindRules> = {
  REFUND: {
    who: { of: 'MERCHANT', asks: 'refunds.create', decides: 'refunds.approve' },
    act: undefined,
  },
  SETTLEMENT_COMPLETE: { who: settlements, act: 'settlements' },
  SETTLEMENT_FAIL: { who: settlements, act: 'settlements' },
  REVIEW_RESOLVE: { who: reviews, act: 'reviews' },
  REVIEW_CLOSE: { who: reviews, act: 'reviews' },
  LIVE_KEY: {
    who: { of: 'MERCHANT', asks: 'keys.write', decides: 'keys.write' },
    act: 'live-keys',
  },
  DISBURSEMENT: { who: disbursements, act: undefined },
  DISBURSEMENT_BATCH: { who: disbursements, act: undefined },
  BANK_ACCOUNT: { who: bankAccounts, act: 'bank-accounts' },
  TOP_UP: { who: settlements, act: 'top-ups' },
};

/** Kinds that the gateway's staff request and decide, and that this permission lets them see. */
export const staffKindsFor = (can: (permission: StaffPermission) => boolean): ApprovalKind[] =>
  (Object.keys(approvalKinds) as ApprovalKind[]).filter((kind) => {
    const { who } = approvalKinds[kind];
    return who.of === 'STAFF' && can(who.sees);
  });

export const staffKinds = staffKindsFor(() => true);

/**
 * Why an approved request was not carried out; includes the codes of DomainErrors and the reasons of reviews.
 * GAVE_UP: errors lasted too long.
 */
export type Failure = 'CHANGED' | 'NOT_COLLECTED' | 'GAVE_UP' | (string & {});

/** An effect that cannot succeed, with the reason as a code. */
export class EffectRefused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`an effect is refused: ${failure}`, options);
    this.name = 'EffectRefused';
    this.failure = failure;
  }
}

/** A person's request, and its outcome. */
export interface Approval<Kind extends ApprovalKind = ApprovalKind> {
  tenantId: string;
  id: string;
  kind: Kind;
  status: ApprovalStatus;
  subjectId: string;
  /** The part of the subject that must not change before the approval. */
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
  /** How often its effect was tried without success. */
  tryCount: number;
  /** Why the last try failed; on a DONE request, a code for what is left for a person to do. */
  remark: string | null;
}

/** The person who requests or decides, by everything that distinguishes people. */
export interface Requester {
  personId: string;
  /** Issuer and subject of the single sign-on that started the session. */
  identity: string | null;
  /** The origin, for the audit log. */
  origin: string;
}

export const requestOf = <Kind extends ApprovalKind>({ request }: Approval<Kind>) =>
  JSON.parse(request) as Requests[Kind];

export const isOfKind = <Kind extends ApprovalKind>(
  approval: Approval,
  ...kinds: Kind[]
): approval is Approval<Kind> => kinds.some((kind) => kind === approval.kind);

/** The request as programs and the audit log show it: without whole account numbers and phones. */
export function maskedRequest(approval: Approval): object {
  if (isOfKind(approval, 'BANK_ACCOUNT')) return maskedAccount(requestOf(approval));
  if (isOfKind(approval, 'DISBURSEMENT_BATCH')) {
    const { rows: _, description, ...request } = requestOf<'DISBURSEMENT_BATCH'>(approval);
    return { ...request, description: description && withoutPhones(description) };
  }
  if (!isOfKind(approval, 'DISBURSEMENT')) return requestOf(approval);
  const { operatorPhone, externalId, description, ...request } =
    requestOf<'DISBURSEMENT'>(approval);
  return {
    ...request,
    operatorPhone: operatorPhone && maskPhone(operatorPhone),
    externalId: externalId && withoutPhones(externalId),
    description: description && withoutPhones(description),
  };
}

/** How long a request stays open, a try may take, and an effect is retried after errors. */
export const approvalTimes = {
  openMs: 72 * 3_600_000,
  leaseMs: 60_000,
  longestWaitMs: 3_600_000,
  triesMs: 24 * 3_600_000,
};
