import type { StaffPermission } from '../../people/staff-permissions.ts';
import type { staffWords } from './words.ts';

type Words = (typeof staffWords)['pt'];

interface Group {
  name: keyof Words['groups'];
  entries: readonly {
    name: keyof Words['pages'];
    /** Below the address of the staff. */
    page: string;
    permission: StaffPermission;
  }[];
}

/** The staff's menu, in its order; people see what their role allows. */
export const staffNavigation: readonly Group[] = [
  {
    name: 'merchants',
    entries: [{ name: 'merchants', page: 'merchants', permission: 'merchants.read' }],
  },
  {
    name: 'decisions',
    entries: [
      { name: 'reviews', page: 'reviews', permission: 'reviews.read' },
      { name: 'approvals', page: 'approvals', permission: 'reviews.read' },
    ],
  },
  {
    name: 'money',
    entries: [
      { name: 'settlements', page: 'settlements', permission: 'settlements.read' },
      { name: 'suspense', page: 'suspense', permission: 'reviews.read' },
      { name: 'reversals', page: 'reversals', permission: 'reviews.read' },
    ],
  },
  { name: 'system', entries: [{ name: 'work', page: 'work', permission: 'system.read' }] },
  { name: 'people', entries: [{ name: 'team', page: 'team', permission: 'staff.read' }] },
];
