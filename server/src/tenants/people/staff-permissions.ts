import { invalid } from '../../platform/errors/errors.ts';

/** The roles of staff, who run the gateway; docs/staff.md shows who may do what. */
export const staffRoles = ['ADMIN', 'OPERATIONS', 'FINANCE', 'AUDITOR'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Has all permissions, as the person responsible for the gateway. */
const all = 'ADMIN';

/**
 * Each permission, what it allows, and which roles have it besides administrators: the only table of staff
 * permissions, for pages, `/admin/v1` and docs/staff.md. Keys of `/admin/v1` have permissions of this table, too.
 */
const table = {
  'merchants.read': {
    opens: 'See merchants, their fees and limits',
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'merchants.write': {
    opens: 'Create, suspend and brand merchants; set fees and limits',
    also: ['OPERATIONS'],
  },
  'api_keys.read': { opens: "See merchants' API keys", also: ['OPERATIONS', 'AUDITOR'] },
  'api_keys.write': { opens: "Create and revoke merchants' API keys", also: ['OPERATIONS'] },
  'payments.read': {
    opens: "See merchants' payments and refunds",
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'phones.read': { opens: 'See whole phone numbers', also: ['OPERATIONS'] },
  'operators.read': {
    opens: "See operators' health",
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'reviews.read': {
    opens: 'See what waits for a decision, with both sides',
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'reviews.resolve': { opens: 'Decide what waits', also: ['OPERATIONS', 'FINANCE'] },
  'approvals.read': {
    opens: 'See requests for approval, of what other permissions open',
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'settlements.read': {
    opens: 'See settlements of all merchants',
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'settlements.decide': { opens: 'Say that a payout arrived, or failed', also: ['FINANCE'] },
  'settlements.download': {
    opens: 'Download orders for the bank, with whole account numbers',
    also: ['FINANCE'],
  },
  'bank_accounts.read': {
    opens: "See merchants' bank accounts, of each number the last 4 digits",
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'bank_accounts.write': {
    opens: "Change merchants' bank accounts, and see their whole numbers",
    also: ['FINANCE'],
  },
  'reconciliations.read': {
    opens: 'See reconciliations',
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'reconciliations.write': {
    opens: "Upload operators' statements and work through differences",
    also: ['FINANCE'],
  },
  'ledger.read': { opens: 'See ledger accounts and postings', also: ['FINANCE', 'AUDITOR'] },
  'system.read': {
    opens: 'See due work, the checks of doctor, running processes and backups',
    also: ['OPERATIONS', 'AUDITOR'],
  },
  'notices.read': {
    opens: 'See notices, of what other permissions open',
    also: ['OPERATIONS', 'FINANCE', 'AUDITOR'],
  },
  'audit.read': { opens: 'Search, verify and export the audit log', also: ['AUDITOR'] },
  'staff.read': { opens: 'See the staff', also: ['OPERATIONS', 'FINANCE', 'AUDITOR'] },
  'staff.write': { opens: 'Invite and remove staff, change roles', also: [] },
  'admin_keys.read': { opens: 'See keys of /admin/v1', also: ['AUDITOR'] },
  'admin_keys.write': { opens: 'Create and revoke keys of /admin/v1', also: [] },
} satisfies Record<string, { opens: string; also: readonly Exclude<StaffRole, typeof all>[] }>;

export type StaffPermission = keyof typeof table;

/** Each permission in the order of docs/staff.md. */
export const staffPermissions = Object.keys(table) as StaffPermission[];

/** Whether staff with this role have the permission. */
export function staffCan(role: StaffRole, permission: StaffPermission): boolean {
  const also: readonly StaffRole[] = table[permission].also;
  return role === all || also.includes(role);
}

/** The description of a permission. */
export const staffOpens = (permission: StaffPermission): string => table[permission].opens;

/** Parses the name of a role in any case; undefined if there is no such role. */
export function parseStaffRole(text: string): StaffRole | undefined {
  return staffRoles.find((role) => role === text.toUpperCase());
}

/**
 * Checks a list of permissions and drops repeats.
 * @throws VALIDATION_ERROR for an unknown permission or an empty list
 */
export function parseStaffPermissions(names: readonly string[]): StaffPermission[] {
  const unknown = names.find((name) => !staffPermissions.some((known) => known === name));
  if (unknown !== undefined || names.length === 0) {
    const found = unknown === undefined ? '' : `; ${JSON.stringify(unknown)} is not a permission`;
    throw invalid('permissions', `must be some of ${staffPermissions.join(', ')}${found}`);
  }
  return staffPermissions.filter((permission) => names.includes(permission));
}
