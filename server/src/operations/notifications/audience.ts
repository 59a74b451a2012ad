import {
  type ApprovalKind,
  approvalKinds,
  staffKinds,
} from '../../backoffice/approvals/approval.ts';
import { type NoticeKind, noticeKinds } from '../../platform/notices/notice.ts';
import {
  type HeldRole,
  holds,
  type Permission,
  type Role,
  rolesWith,
} from '../../tenants/people/permissions.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffCan,
  staffRoles,
} from '../../tenants/people/staff-permissions.ts';

/** The pages that show a notice: a merchant's, or the staff's. */
export type Place = 'MERCHANT' | 'STAFF';

/** How a person receives notices of a kind. MAIL_ALWAYS ignores quiet hours. */
export const choices = ['NOTHING', 'CONSOLE', 'MAIL', 'MAIL_ALWAYS'] as const;
export type Choice = (typeof choices)[number];

interface Audience {
  /** A member with any of these permissions receives the notice. */
  merchant: readonly Permission[];
  staff: readonly StaffPermission[];
  /** The default for people who have not chosen. */
  choice: Choice;
}

const approvalRules = Object.values(approvalKinds).map(({ who }) => who);

/** The table of recipients by kind. */
export const audiences: Record<NoticeKind, Audience> = {
  ENDPOINT_DISABLED: { merchant: ['endpoints.write'], staff: [], choice: 'MAIL' },
  SETTLEMENT_FAILED: {
    merchant: ['settlements.create'],
    staff: ['settlements.decide'],
    choice: 'MAIL',
  },
  REVIEW_WAITING: { merchant: [], staff: ['reviews.resolve'], choice: 'MAIL' },
  // Each request goes to the people who may decide it.
  APPROVAL_ASKED: {
    merchant: approvalRules.flatMap((who) => (who.of === 'MERCHANT' ? [who.decides] : [])),
    staff: approvalRules.flatMap((who) => (who.of === 'STAFF' ? [who.may] : [])),
    choice: 'MAIL',
  },
  OPERATOR_DOWN: { merchant: [], staff: ['system.read'], choice: 'MAIL_ALWAYS' },
  BALANCE_WRONG: { merchant: [], staff: ['ledger.read'], choice: 'MAIL_ALWAYS' },
  // Mailed at any hour, because the next payout may be created the same night. Staff too, in case nobody at the merchant
  // reads it.
  BANK_ACCOUNT_CHANGED: {
    merchant: ['settlements.create'],
    staff: ['bank_accounts.write'],
    choice: 'MAIL_ALWAYS',
  },
  ALERT: { merchant: [], staff: ['system.read'], choice: 'MAIL_ALWAYS' },
  FLOAT_LOW: { merchant: [], staff: ['operators.read'], choice: 'MAIL_ALWAYS' },
};

/** Returns the roles that receive a notice, in each place; members with custom roles by their permissions. */
export function rolesFor({ kind, detail }: { kind: NoticeKind; detail: { approval?: string } }): {
  merchant: Role[];
  permissions: readonly Permission[];
  staff: StaffRole[];
} {
  const { merchant, staff } =
    kind === 'APPROVAL_ASKED' ? decidersOf(detail.approval) : audiences[kind];
  return {
    merchant: rolesWith(merchant),
    permissions: merchant,
    staff: staffRoles.filter((role) => staff.some((permission) => staffCan(role, permission))),
  };
}

function decidersOf(approval = ''): Pick<Audience, 'merchant' | 'staff'> {
  const who = Object.hasOwn(approvalKinds, approval)
    ? approvalKinds[approval as ApprovalKind].who
    : undefined;
  return {
    merchant: who?.of === 'MERCHANT' ? [who.decides] : [],
    staff: who?.of === 'STAFF' ? [who.may] : [],
  };
}

/** The notices that a person or key may see among the staff's. */
export interface NoticeScope {
  kinds: NoticeKind[];
  /** The kinds of approval requests that they may decide. */
  approvals: ApprovalKind[];
}

/** @param can checks a permission: of a staff role, or of a key of `/admin/v1` */
export const noticeScopeOf = (can: (permission: StaffPermission) => boolean): NoticeScope => ({
  kinds: noticeKinds.filter((kind) => audiences[kind].staff.some(can)),
  approvals: staffKinds.filter((kind) => decidersOf(kind).staff.some(can)),
});

/** Returns the kinds of notices that a member or a staff role receives. */
export const kindsOf = (who: HeldRole | { staffRole: StaffRole }): NoticeKind[] =>
  'role' in who
    ? noticeKinds.filter((kind) =>
        audiences[kind].merchant.some((permission) => holds(who, permission)),
      )
    : noticeScopeOf((permission) => staffCan(who.staffRole, permission)).kinds;
