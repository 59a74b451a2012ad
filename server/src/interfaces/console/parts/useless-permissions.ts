import type { Permission } from '../../../tenants/people/permissions.ts';

/** Permissions whose button or result is on another page, and the permissions of such pages: any of them is enough. */
export const worksWith: Partial<Record<Permission, readonly Permission[]>> = {
  'payments.cancel': ['payments.read'],
  'phones.read': ['payments.read', 'disbursements.read'],
  'refunds.create': ['payments.read', 'payments.charge'],
  'refunds.approve': ['payments.read'],
  'links.write': ['payments.read'],
  'settlements.create': ['money.read'],
  'disbursements.approve': ['payments.read'],
  'disbursements.look_up_names': ['disbursements.create', 'disbursements.approve'],
  'deliveries.redeliver': ['payments.read', 'events.read', 'endpoints.read', 'disbursements.read'],
};

/** The permissions of a role that are of no use, with those that they lack. */
export const uselessIn = (held: readonly Permission[]) =>
  held.flatMap((permission) => {
    const lacks = worksWith[permission] ?? [];
    const isUseless = lacks.length > 0 && !lacks.some((each) => held.includes(each));
    return isUseless ? [{ permission, lacks }] : [];
  });
