import type { Permission } from '../people/permissions.ts';
import type { CommonWords } from './words/common.ts';

interface Entry {
  name: keyof CommonWords['pages'];
  /** Below the merchant's address. */
  page: string;
  permission: Permission;
}

interface Group {
  name: keyof CommonWords['groups'] | undefined;
  entries: readonly Entry[];
}

/** The menu, in its order; people see what their role allows. */
export const navigation: readonly Group[] = [
  {
    name: undefined,
    entries: [{ name: 'home', page: '', permission: 'payments.read' }],
  },
  {
    name: 'shop',
    entries: [
      { name: 'payments', page: 'payments', permission: 'payments.read' },
      { name: 'refunds', page: 'refunds', permission: 'payments.read' },
    ],
  },
];
