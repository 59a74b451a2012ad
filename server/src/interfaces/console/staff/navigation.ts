import { approvalKinds, staffKinds } from '../../../backoffice/approvals/approval.ts';
import type { StaffPermission } from '../../../tenants/people/staff-permissions.ts';
import type { MenuGroup } from '../navigation.ts';
import type { ConsoleServices } from '../services.ts';
import type { staffWords } from './common.words.ts';

type Words = (typeof staffWords)['pt'];

/** Whether any staff action needs a second person. */
const asksOthers = ({ fourEyes }: ConsoleServices) =>
  staffKinds.some((kind) => {
    const { act } = approvalKinds[kind];
    return act !== undefined && fourEyes.has(act);
  });

/** The staff's menu in order; people see the entries that their role allows. */
export const staffNavigation: readonly MenuGroup<
  keyof Words['pages'],
  keyof Words['groups'],
  StaffPermission
>[] = [
  { name: undefined, entries: [{ name: 'home', page: '', permission: 'merchants.read' }] },
  {
    name: 'decisions',
    entries: [
      { name: 'reviews', page: 'reviews', permission: 'reviews.read' },
      { name: 'approvals', page: 'approvals', permission: 'approvals.read', isOfUse: asksOthers },
    ],
  },
  {
    name: 'merchants',
    entries: [
      { name: 'merchants', page: 'merchants', permission: 'merchants.read' },
      { name: 'payments', page: 'payments', permission: 'payments.read' },
    ],
  },
  {
    name: 'money',
    entries: [
      { name: 'settlements', page: 'settlements', permission: 'settlements.read' },
      { name: 'bank-statements', page: 'bank-statements', permission: 'settlements.read' },
      { name: 'reconciliations', page: 'reconciliations', permission: 'reconciliations.read' },
      { name: 'suspense', page: 'suspense', permission: 'reviews.read' },
      { name: 'reversals', page: 'reversals', permission: 'reviews.read' },
      { name: 'ledger', page: 'ledger', permission: 'ledger.read' },
    ],
  },
  {
    name: 'system',
    entries: [
      { name: 'operators', page: 'operators', permission: 'operators.read' },
      { name: 'work', page: 'work', permission: 'system.read' },
      { name: 'doctor', page: 'doctor', permission: 'system.read' },
      { name: 'processes', page: 'processes', permission: 'system.read' },
      { name: 'backups', page: 'backups', permission: 'system.read' },
    ],
  },
  {
    name: 'people',
    entries: [
      { name: 'team', page: 'team', permission: 'staff.read' },
      { name: 'admin-keys', page: 'admin-keys', permission: 'admin_keys.read' },
      { name: 'audit', page: 'audit', permission: 'audit.read' },
    ],
  },
];
