/** A member's roles in a merchant; docs/console.md shows who may do what. */
export const roles = ['OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER', 'CASHIER'] as const;
export type Role = (typeof roles)[number];

/** A member's role: one of the table, or CUSTOM for a role that the merchant's owners put together. */
export type MemberRole = Role | 'CUSTOM';

/** Has all permissions, as owner of the merchant. */
const all = 'OWNER';

/**
 * Each permission, what it allows, and which roles have it besides the owner: the only table of permissions, for
 * pages, routes and docs/console.md.
 */
const table = {
  'payments.read': {
    opens: 'See totals, payments, links and receipts',
    also: ['FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER'],
  },
  'payments.export': { opens: 'Download payments', also: ['FINANCE'] },
  'payments.charge': { opens: 'Charge a customer', also: ['SUPPORT', 'DEVELOPER', 'CASHIER'] },
  'payments.cancel': { opens: 'Cancel a payment', also: ['SUPPORT'] },
  'phones.read': { opens: 'See whole phone numbers', also: ['SUPPORT'] },
  'refunds.create': { opens: 'Refund', also: ['FINANCE', 'SUPPORT'] },
  'refunds.approve': { opens: 'Approve large refunds', also: ['FINANCE'] },
  'links.write': { opens: 'Create and expire payment links', also: ['SUPPORT', 'DEVELOPER'] },
  'products.write': { opens: 'Change products', also: ['SUPPORT', 'DEVELOPER'] },
  'money.read': { opens: 'See balance, settlements and statements', also: ['FINANCE', 'VIEWER'] },
  'settlements.create': { opens: 'Pay out', also: ['FINANCE'] },
  'disbursements.read': { opens: 'See disbursements', also: ['FINANCE', 'VIEWER'] },
  'disbursements.create': { opens: 'Send money to wallets', also: ['FINANCE'] },
  'disbursements.approve': { opens: 'Approve large disbursements', also: ['FINANCE'] },
  'disbursements.look_up_names': {
    opens: 'See the masked name of a wallet’s holder',
    also: ['FINANCE'],
  },
  'keys.read': { opens: 'See API keys', also: ['DEVELOPER'] },
  'keys.write': { opens: 'Create, roll and revoke API keys', also: ['DEVELOPER'] },
  'endpoints.read': { opens: 'See webhook endpoints', also: ['DEVELOPER'] },
  'endpoints.write': { opens: 'Change webhook endpoints', also: ['DEVELOPER'] },
  'events.read': { opens: 'See events and deliveries', also: ['SUPPORT', 'DEVELOPER'] },
  'deliveries.redeliver': { opens: 'Send webhooks again', also: ['SUPPORT', 'DEVELOPER'] },
  'requests.read': { opens: 'See the log of API requests', also: ['DEVELOPER'] },
  'people.read': { opens: 'See members', also: ['FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER'] },
  // Stryker disable next-line ArrayDeclaration: no member has a role that is not in the list
  'people.write': { opens: 'Invite and remove members, change roles', also: [] },
  // Stryker disable next-line ArrayDeclaration: no member has a role that is not in the list
  'settings.write': { opens: 'Change the shop’s name, look, contact and settings', also: [] },
  'audit.read': { opens: 'See the audit log', also: ['FINANCE'] },
} satisfies Record<string, { opens: string; also: readonly Exclude<Role, typeof all>[] }>;

export type Permission = keyof typeof table;

/** Each permission in the order of docs/console.md. */
export const permissions = Object.keys(table) as Permission[];

/** Whether a member with this role has the permission. */
export function can(role: Role, permission: Permission): boolean {
  const also: readonly Role[] = table[permission].also;
  return role === all || also.includes(role);
}

/** The role of a membership, and the permissions of a role that owners put together. */
export interface HeldRole {
  role: MemberRole;
  /** Only with the role CUSTOM. */
  permissions?: readonly string[] | null;
}

/** Whether a member has the permission, by any kind of role. */
export function holds({ role, permissions: own }: HeldRole, permission: Permission): boolean {
  return role === 'CUSTOM' ? (own?.includes(permission) ?? false) : can(role, permission);
}

/**
 * SQL: whether a membership `m` has one of these roles, or a custom role with one of these permissions.
 * @param granted a parameter with the roles of {@link rolesWith} that hold any of the permissions
 */
// Stryker disable next-line ArrowFunction: SQL, which the tests of its statements cover
export const holdsSql = (granted: string, wanted: string): string =>
  // Stryker disable next-line StringLiteral: the same
  `(m.role = ANY (${granted}) OR EXISTS (
    SELECT FROM merchant_roles own
    WHERE own.merchant_id = m.merchant_id AND own.id = m.role_id AND own.permissions && ${wanted}))`;

/** The roles of the table that hold any of these permissions. */
export const rolesWith = (wanted: readonly Permission[]): Role[] =>
  roles.filter((role) => wanted.some((permission) => can(role, permission)));

/** Only owners manage people: whoever could invite would give themselves every permission. */
export const grantable = permissions.filter((permission) => permission !== 'people.write');

/** The description of a permission. */
export const opensWhat = (permission: Permission): string => table[permission].opens;

/** Parses the name of a role in any case; undefined if there is no such role. */
export function parseRole(text: string): Role | undefined {
  return roles.find((role) => role === text.toUpperCase());
}
