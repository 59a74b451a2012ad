import type { Command } from 'commander';
import { formatId } from '../platform/values/ids.ts';
import type { adminKeyView } from '../tenants/people/admin-keys.ts';
import {
  parseStaffPermissions,
  type StaffPermission,
  staffCan,
  staffOpens,
  staffPermissions,
  staffRoles,
} from '../tenants/people/staff-permissions.ts';
import { atGateway } from './admin/connection.ts';
import { addRevoke, type KeyKind, printIssued, printKeys } from './key-kind.ts';
import { expiryOf, networksOf, permissionsOf } from './key-options.ts';
import type { Output } from './output.ts';
import { withWorkspace } from './workspace.ts';

const examples = `
Permissions (docs/staff.md says what each opens):
${staffPermissions.map((name) => `  ${name.padEnd(22)}${staffOpens(name)}`).join('\n')}

Instead of a list, you can name a role, for the permissions of staff in it: ${staffRoles.map((role) => role.toLowerCase()).join(', ')}.

Examples:
  $ zimbo admin-keys create --label "nightly reconciliation" --permissions reconciliations.read,reconciliations.write
  $ zimbo admin-keys create --label "Ana's laptop" --permissions finance --expires 90d --allowed-addresses 192.0.2.0/24`;

type Key = ReturnType<typeof adminKeyView>;

const kind: KeyKind<Key> = {
  name: 'admin-key',
  revoke: 'revokeAdminKey',
  permissions: staffPermissions,
  maskedKey: ({ last4 }) => `ak_admin_…${last4}`,
  columns: [[], [['MADE BY', ({ createdBy }) => createdBy]]],
  nothing: 'There are no keys of /admin/v1, so nobody can use it.',
};

export function addAdminKeyCommands(program: Command): void {
  const keys = program
    .command('admin-keys')
    .description('create, list and revoke keys of /admin/v1, the API for staff');
  keys
    .command('create')
    .description('create a key of /admin/v1; it is shown only once')
    .requiredOption('--label <text>', 'its purpose, such as "nightly reconciliation"')
    .requiredOption('--permissions <list>', 'its permissions, separated by commas', namedOrOfRole)
    .option('--expires <when>', 'such as 90d, 2027-03-31 or 2027-03-31T12:00:00Z', expiryOf)
    .option('--allowed-addresses <list>', 'IP addresses and networks that may use it', networksOf)
    .option('--json', 'print {"id": …, "key": …}')
    .addHelpText('after', examples)
    .action(create);
  keys
    .command('list')
    .description('all keys of /admin/v1, newest first; expired and revoked ones too')
    .option('--json', 'print an array')
    .action(async (options: Output) =>
      printKeys(kind, await atGateway(({ all }) => all<Key>('listAdminKeys')), options),
    );
  addRevoke(keys, kind);
}

/** Parses a list of permissions, or the name of a role. */
function namedOrOfRole(text: string): StaffPermission[] {
  const role = staffRoles.find((name) => name === text.trim().toUpperCase());
  return role
    ? staffPermissions.filter((permission) => staffCan(role, permission))
    : permissionsOf(parseStaffPermissions, text);
}

interface CreateOptions extends Output {
  label: string;
  permissions: StaffPermission[];
  expires?: Date;
  allowedAddresses?: string[];
}

/** In the database itself: /admin/v1 creates no keys. */
async function create({ json, expires, ...terms }: CreateOptions): Promise<void> {
  const [{ issueAdminKey }, { checkTerms, unlimitedTerms }] = await Promise.all([
    import('../tenants/people/admin-keys.ts'),
    import('../tenants/merchants/key-restrictions.ts'),
  ]);
  // A key that is refused must not create an installation. Only the database knows the time.
  const { label, permissions, allowedAddresses = [] } = terms;
  checkTerms({ ...unlimitedTerms, label, allowedAddresses }, 0);
  const { id, key } = await withWorkspace((workspace) =>
    issueAdminKey(workspace, { ...terms, expiresAtMs: expires?.getTime() }),
  );
  const issued = { id: formatId('ak', id), key };
  await printIssued(kind, issued, { json, permissions, fields: { Label: label } });
}
