import {
  type ApprovalKind,
  approvalKinds,
  staffKinds,
} from '../../backoffice/approvals/approval.ts';
import { type NoticeKind, noticeKinds } from '../../platform/notices/notice.ts';
import { can, type Permission, type Role, roles } from '../../tenants/people/permissions.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffCan,
  staffRoles,
} from '../../tenants/people/staff-permissions.ts';

/** Where a notice stands: on the pages of a merchant, or on those of the staff. */
export type Place = 'MERCHANT' | 'STAFF';

/** What somebody does with notices of a kind. MAIL_ALWAYS: quiet hours do not hold its mail up. */
export const choices = ['NOTHING', 'CONSOLE', 'MAIL', 'MAIL_ALWAYS'] as const;
export type Choice = (typeof choices)[number];

interface Audience {
  /** Any of these permissions. */
  merchant: readonly Permission[];
  staff: readonly StaffPermission[];
  /** The defaults of a person without choices. */
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
  // Of each request those who may decide it.
  APPROVAL_ASKED: {
    merchant: approvalRules.flatMap((who) => (who.of === 'MERCHANT' ? [who.decides] : [])),
    staff: approvalRules.flatMap((who) => (who.of === 'STAFF' ? [who.may] : [])),
    choice: 'MAIL',
  },
  OPERATOR_DOWN: { merchant: [], staff: ['system.read'], choice: 'MAIL_ALWAYS' },
  BALANCE_WRONG: { merchant: [], staff: ['ledger.read'], choice: 'MAIL_ALWAYS' },
  // At any hour: the next payout may be cut in the same night. Staff too: a merchant may have nobody who reads it.
  BANK_ACCOUNT_CHANGED: {
    merchant: ['settlements.create'],
    staff: ['bank_accounts.write'],
    choice: 'MAIL_ALWAYS',
  },
  ALERT: { merchant: [], staff: ['system.read'], choice: 'MAIL_ALWAYS' },
};

/** The roles that hear of a notice, in each place. */
export function rolesFor({ kind, detail }: { kind: NoticeKind; detail: { approval?: string } }): {
  merchant: Role[];
  staff: StaffRole[];
} {
  const { merchant, staff } =
    kind === 'APPROVAL_ASKED' ? decidersOf(detail.approval) : audiences[kind];
  return {
    merchant: roles.filter((role) => merchant.some((permission) => can(role, permission))),
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

/** The kinds for a person with a staff role. */
export interface Heard {
  kinds: NoticeKind[];
  /** Of requests for approval: the kinds that they may decide. */
  approvals: ApprovalKind[];
}

/** @param can whether they may do it: staff by their role, a key of `/admin/v1` by its permissions */
export const heardBy = (can: (permission: StaffPermission) => boolean): Heard => ({
  kinds: noticeKinds.filter((kind) => audiences[kind].staff.some(can)),
  approvals: staffKinds.filter((kind) => decidersOf(kind).staff.some(can)),
});

/** The kinds that a member or staff hear of. */
export const kindsOf = (who: { role: Role } | { staffRole: StaffRole }): NoticeKind[] =>
  'role' in who
    ? noticeKinds.filter((kind) =>
        audiences[kind].merchant.some((permission) => can(who.role, permission)),
      )
    : heardBy((permission) => staffCan(who.staffRole, permission)).kinds;
