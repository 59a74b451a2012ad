import { DomainError } from '../../platform/errors/errors.ts';
import type { Permission } from '../../tenants/people/permissions.ts';
import type { ConsoleServices } from './services.ts';
import type { CommonWords } from './words/common.ts';

/** Menu entries under a title, by the names of their words; the first group has no title. */
export interface MenuGroup<Page extends string, Title extends string, Permitted> {
  name: Title | undefined;
  entries: readonly {
    /** Also the name of the icon. */
    name: Page;
    /** Below the address of the merchant, or of the staff. */
    page: string;
    permission: Permitted;
    /** Whether the entry is useful here; by default everywhere. */
    isOfUse?: (services: ConsoleServices) => boolean;
  }[];
}

const isDisbursing = ({ disbursementSettings }: ConsoleServices) => disbursementSettings.isOn;

/** Where people begin who may make something, and may not see the list of it. */
const makers: readonly {
  page: string;
  permission: Permission;
  isOfUse?: (services: ConsoleServices) => boolean;
}[] = [
  { page: 'links/new', permission: 'links.write' },
  { page: 'products/new', permission: 'products.write' },
  { page: 'payments/export', permission: 'payments.export' },
  { page: 'disbursements/new', permission: 'disbursements.create', isOfUse: isDisbursing },
  { page: 'keys/new', permission: 'keys.write' },
  { page: 'endpoints/new', permission: 'endpoints.write' },
];

/**
 * The first page that these permissions open: the home page, or the till for a cashier. Empty for the home page;
 * undefined if they open none, such as a refund without the payments.
 */
export function startPage(
  can: (permission: Permission) => boolean,
  services: ConsoleServices,
): string | undefined {
  const entries = navigation.flatMap((group) => group.entries);
  const listed = entries.find(({ permission }) => can(permission));
  if (listed !== undefined) return listed.page;
  return makers.find((each) => can(each.permission) && (each.isOfUse?.(services) ?? true))?.page;
}

/** The visitor's role at the merchant opens no page. */
export class OpensNothing extends DomainError {
  constructor() {
    super('FORBIDDEN', 'The role opens no page.');
  }
}

/** Whether any action at a merchant needs a second person. */
const asksOthers = ({ fourEyes, refundApprovalAbove, disbursementSettings }: ConsoleServices) =>
  fourEyes.has('live-keys') ||
  Object.keys(refundApprovalAbove).length > 0 ||
  (disbursementSettings.isOn && Object.keys(disbursementSettings.approvalAbove).length > 0);

/** The menu in order; people see the entries that their role allows. */
export const navigation: readonly MenuGroup<
  keyof CommonWords['pages'],
  keyof CommonWords['groups'],
  Permission
>[] = [
  {
    name: undefined,
    entries: [{ name: 'home', page: '', permission: 'payments.read' }],
  },
  {
    name: 'shop',
    entries: [
      { name: 'charge', page: 'charge', permission: 'payments.charge' },
      { name: 'sales', page: 'sales', permission: 'payments.charge' },
      { name: 'payments', page: 'payments', permission: 'payments.read' },
      { name: 'refunds', page: 'refunds', permission: 'payments.read' },
      { name: 'approvals', page: 'approvals', permission: 'payments.read', isOfUse: asksOthers },
      { name: 'links', page: 'links', permission: 'payments.read' },
      { name: 'products', page: 'products', permission: 'payments.read' },
    ],
  },
  {
    name: 'money',
    entries: [
      { name: 'money', page: 'money', permission: 'money.read' },
      {
        name: 'disbursements',
        page: 'disbursements',
        permission: 'disbursements.read',
        isOfUse: isDisbursing,
      },
      { name: 'settlements', page: 'settlements', permission: 'money.read' },
      { name: 'statement', page: 'statement', permission: 'money.read' },
    ],
  },
  {
    name: 'developers',
    entries: [
      { name: 'keys', page: 'keys', permission: 'keys.read' },
      { name: 'endpoints', page: 'endpoints', permission: 'endpoints.read' },
      { name: 'events', page: 'events', permission: 'events.read' },
      { name: 'requests', page: 'requests', permission: 'requests.read' },
      { name: 'reference', page: 'reference', permission: 'keys.read' },
    ],
  },
  {
    name: 'settings',
    entries: [
      { name: 'settings', page: 'settings', permission: 'settings.write' },
      { name: 'team', page: 'team', permission: 'people.read' },
      { name: 'audit', page: 'audit', permission: 'audit.read' },
    ],
  },
];
